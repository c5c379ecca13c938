// Candles over HTTP.
import { preserializedJson } from '#server/http/preserialized-json.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { marketDataRoutes } from '#shared/market-data/contract.ts'
import type { CandleBudget } from './candle-budget.ts'
import type { CandlesService } from './candles-service.ts'

interface Deps {
  readonly candles: CandlesService
  readonly budget: CandleBudget
}

export function candlesHandlers({ candles, budget }: Deps): Handlers<typeof marketDataRoutes> {
  return {
    candles: async ({ session, params, query, reply }) => {
      const { timeframe, to, limit, adjustment } = query
      const call = { userId: session.user._id, bars: limit, response: reply.raw }
      return preserializedJson(
        await budget.run(call, () => candles.candlesJson(session.user, { slug: params.slug, timeframe, toMs: to, limit, adjustment })),
      )
    },
  }
}
