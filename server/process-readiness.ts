// Readiness checks of web processes and the gateway.
import type { Database } from './db/database.ts'
import { writeProbe } from './db/write-probe.ts'
import type { MarketWiring } from './features/market-data/live/market-data.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import { pricesState } from '#shared/system-status/prices-state.ts'
import { sourceStates } from './features/market-data/source-states.ts'
import { readinessOf, type Readiness } from './http/readiness.ts'

export interface ProcessReadinessOptions {
  readonly database: Pick<Database, 'db' | 'ping'>
  readonly market: Pick<MarketWiring, 'bus' | 'setup' | 'probes'> & { readonly hub?: Pick<Hub, 'report'> | undefined }
  readonly onError: (error: unknown) => void
}

/** The hub knows every followed series. */
const noViews = { conditions: () => new Map<string, never>() }

/** Sign-in, payments and stored candles work without Redis and the hub; a gateway is useless without them. */
export function processReadiness(kind: 'web' | 'gateway', { database, market, onError }: ProcessReadinessOptions): Readiness {
  const canWrite = writeProbe(database.db)
  return readinessOf({
    checks: {
      // Rejects within 2 seconds if it does not respond.
      database: () => database.ping().then(() => true),
      writes: canWrite,
      redis: () => market.bus.isConnected(),
      'market-hub': () => market.setup.hubPlace() !== 'silent',
      prices: () => pricesState(sourceStates({ hub: market.hub, views: noViews, probes: market.probes })) !== 'failing',
    },
    required: new Set(kind === 'web' ? ['database'] : ['database', 'redis', 'market-hub']),
    onError,
  })
}
