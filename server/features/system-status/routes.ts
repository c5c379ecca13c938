// Contract to service for the system status.
import type { Handlers } from '#server/http/serve.ts'
import type { SystemStatus, systemStatusRoutes } from '#shared/system-status/contract.ts'
import type { SystemStatusService } from './service.ts'

interface Deps {
  readonly status: SystemStatusService
  readonly live: () => SystemStatus['live']
}

export function systemStatusHandlers({ status, live }: Deps): Handlers<typeof systemStatusRoutes> {
  return { read: async () => ({ success: true, data: { ...(await status.read()), live: live() } }) }
}
