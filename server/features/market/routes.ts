// Contract to service for the chart page.
import { readyJson } from '#server/http/ready-json.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { marketRoutes } from '#shared/market/contract.ts'
import type { CandleBudget } from './history/candle-budget.ts'
import type { CandlesService } from './history/candles-service.ts'
import type { marketService } from './service.ts'

export function marketHandlers(needs: {
  market: ReturnType<typeof marketService>
  candles: CandlesService
  budget: CandleBudget
}): Handlers<typeof marketRoutes> {
  const { market, candles, budget } = needs
  return {
    candles: async ({ session, params, query, reply }) => {
      const { timeframe, to, limit, adjustment } = query
      const call = { userId: session.user._id, bars: limit, response: reply.raw }
      return readyJson(
        await budget.run(call, () => candles.candlesJson(session.user, { slug: params.slug, timeframe, toMs: to, limit, adjustment })),
      )
    },
    chart: async ({ session, params }) => ({ success: true, data: await market.chart(session.user, params.slug) }),
    hiddenInstruments: async () => ({ success: true, data: await market.hiddenInstruments() }),
    chartSettings: async ({ session }) => ({ success: true, data: await market.chartSettings(session.user._id) }),
    saveChartSettings: async ({ session, body }) => ({ success: true, data: await market.saveChartSettings(session.user._id, body) }),
  }
}
