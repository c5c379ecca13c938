// Candles over HTTP.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preserializedJson, type PreserializedJson, type Handlers } from '#server/http/serve.ts'
import { dayMs, secondMs } from '#shared/base/durations.ts'
import type { marketDataRoutes } from '#shared/market-data/contract.ts'
import type { CandleBudget } from './candle-budget.ts'
import type { CandlesService, KeptPage } from './candles-service.ts'
import { keptPages } from './kept-pages.ts'

interface Deps {
  readonly candles: CandlesService
  readonly budget: CandleBudget
}

const keptSeconds = (30 * dayMs) / secondMs

export function candlesHandlers({ candles, budget }: Deps): Handlers<typeof marketDataRoutes> {
  const kept = keptPages()

  /** A browser keeps only what the URL names by its edition; to any other edition the answer is the page as it is now. */
  async function answer(
    { pieces, edition, version }: KeptPage,
    asked: string | undefined,
    { request, reply }: Call,
  ): Promise<PreserializedJson> {
    if (edition === undefined || edition !== asked) return preserializedJson(pieces)
    void reply.headers({ 'cache-control': `private, max-age=${keptSeconds}, immutable`, vary: 'accept-encoding' })
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return preserializedJson(pieces)
    void reply.header('content-encoding', 'gzip')
    return preserializedJson([await kept.compressed(`${edition} ${version}`, () => Buffer.concat(pieces))])
  }

  return {
    candles: async ({ session, params, query, request, reply }) => {
      const { timeframe, to, limit, adjustment, pages, edition } = query
      const wanted = { slug: params.slug, timeframe, toMs: to, limit, adjustment }
      const call = { userId: session.user._id, response: reply.raw }
      if (pages === undefined)
        return preserializedJson(await budget.run({ ...call, bars: limit }, () => candles.candlesJson(session.user, wanted)))
      // The page before it is read as well.
      const page = await budget.run({ ...call, bars: 2 * limit }, () => candles.fixedPage(session.user, wanted))
      return answer(page, edition, { request, reply })
    },
  }
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
