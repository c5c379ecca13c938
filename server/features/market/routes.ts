// Contract to service for the chart page.
import { readyJson } from '#server/http/ready-json.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { marketRoutes } from '#shared/market/contract.ts'
import type { CandlesService } from './history/candles-service.ts'
import type { marketService } from './service.ts'

export function marketHandlers(needs: {
  market: ReturnType<typeof marketService>
  candles: CandlesService
}): Handlers<typeof marketRoutes> {
  const { market, candles } = needs
  return {
    candles: async ({ session, params, query }) => {
      const { timeframe, to, limit } = query
      return readyJson(await candles.candlesJson(session.user, { slug: params.slug, timeframe, toMs: to, limit }))
    },
    chart: async ({ session, params }) => ({ success: true, data: await market.chart(session.user, params.slug) }),
    chartSettings: async ({ session }) => ({ success: true, data: await market.chartSettings(session.user._id) }),
    saveChartSettings: async ({ session, body }) => ({ success: true, data: await market.saveChartSettings(session.user._id, body) }),
  }
}
