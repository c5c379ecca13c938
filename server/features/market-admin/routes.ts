// Routes of the admin's overview of market data.
import type { Handlers } from '#server/http/serve.ts'
import type { marketAdminRoutes } from '#shared/market-admin/contract.ts'
import type { MarketAdminService } from './service.ts'

export function marketAdminHandlers({ marketAdmin }: { readonly marketAdmin: MarketAdminService }): Handlers<typeof marketAdminRoutes> {
  return {
    overview: async () => ({ success: true, data: await marketAdmin.overview() }),
  }
}
