// Routes of the operator's market data view.
import type { Handlers } from '#server/http/serve.ts'
import type { adminMarketRoutes } from '#shared/market-admin/contract.ts'
import type { OperatorService } from './operator-service.ts'

export function operatorHandlers({ operator }: { readonly operator: OperatorService }): Handlers<typeof adminMarketRoutes> {
  return {
    overview: async () => ({ success: true, data: await operator.overview() }),
  }
}
