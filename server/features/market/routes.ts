// Contract to service for the chart page.
import type { Handlers } from '#server/http/serve.ts'
import type { marketRoutes } from '#shared/market/contract.ts'
import type { marketService } from './service.ts'

export function marketHandlers(needs: { market: ReturnType<typeof marketService> }): Handlers<typeof marketRoutes> {
  const { market } = needs
  return {
    chart: async ({ session, params }) => ({ success: true, data: await market.chart(session.user, params.slug) }),
    chartSettings: async ({ session }) => ({ success: true, data: await market.chartSettings(session.user._id) }),
    saveChartSettings: async ({ session, body }) => ({ success: true, data: await market.saveChartSettings(session.user._id, body) }),
  }
}
