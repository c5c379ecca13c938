// The system status of a test app: without Redis, mail, jobs, backups and alerts, unless given.
import type { MarketWiring } from '../features/market-data/live/market-data.ts'
import type { SystemStatusService } from '../features/system-status/service.ts'
import { openSystemStatus, type SystemStatusDeps } from '../open-system-status.ts'

interface TestStatusDeps extends Pick<SystemStatusDeps, 'database' | 'hasher' | 'readiness' | 'now'> {
  readonly market: Pick<MarketWiring, 'setup' | 'probes'>
  readonly services: Pick<SystemStatusDeps, 'views'>
}

export function testStatus(
  { database, hasher, readiness, now, market, services }: TestStatusDeps,
  given: Partial<SystemStatusDeps> = {},
): SystemStatusService {
  return openSystemStatus({
    database,
    hasher,
    readiness,
    now,
    setup: market.setup,
    probes: market.probes,
    views: services.views,
    config: { redisUrl: undefined, warnings: [] },
    jobs: { list: () => [] },
    hub: undefined,
    mailer: undefined,
    backup: undefined,
    alerts: [],
    ...given,
  })
}
