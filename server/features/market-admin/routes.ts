// Routes of the operator's market data view.
import type { Handlers } from '#server/http/serve.ts'
import type { marketAdminRoutes } from '#shared/market-admin/contract.ts'
import type { OperatorService } from './service.ts'

export function marketAdminHandlers({ operator }: { readonly operator: OperatorService }): Handlers<typeof marketAdminRoutes> {
  return {
    overview: async () => ({ success: true, data: await operator.overview() }),
  }
}
