// Candles over HTTP: GET /market/candles.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preserializedJson, type PreserializedJson, type Handlers } from '#server/http/serve.ts'
import { dayMs, secondMs } from '#shared/base/durations.ts'
import type { marketDataRoutes } from '#shared/market-data/contract.ts'
import type { CandleBudget } from './candle-budget.ts'
import type { CandlesService, CacheablePage } from './candles-service.ts'

const compress = promisify(gzip)

interface Deps {
  readonly candles: CandlesService
  readonly budget: CandleBudget
}

const maxAgeSeconds = (30 * dayMs) / secondMs

export function candlesHandlers({ candles, budget }: Deps): Handlers<typeof marketDataRoutes> {
  const bodies = compressedBodies()

  /** A browser keeps only what the URL names by its edition; to any other edition the answer is the page as it is now. */
  async function answer(
    { pieces, edition, version }: CacheablePage,
    requestedEdition: string | undefined,
    { request, reply }: Call,
  ): Promise<PreserializedJson> {
    if (edition === undefined || edition !== requestedEdition) return preserializedJson(pieces)
    void reply.headers({ 'cache-control': `private, max-age=${maxAgeSeconds}, immutable`, vary: 'accept-encoding' })
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return preserializedJson(pieces)
    void reply.header('content-encoding', 'gzip')
    return preserializedJson([await bodies(`${edition} ${version}`, () => Buffer.concat(pieces))])
  }

  return {
    candles: async ({ session, params, query, request, reply }) => {
      const { timeframe, to, limit, adjustment, pages, edition } = query
      const candlesRequest = { slug: params.slug, timeframe, toMs: to, limit, adjustment }
      const call = { userId: session.user._id, response: reply.raw }
      if (pages === undefined)
        return preserializedJson(await budget.run({ ...call, bars: limit }, () => candles.candlesJson(session.user, candlesRequest)))
      // The page before it is read as well.
      const page = await budget.run({ ...call, bars: 2 * limit }, () => candles.fixedPage(session.user, candlesRequest))
      return answer(page, edition, { request, reply })
    },
  }
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Compresses the body of a version once for all users: concurrent callers share one compression, and failures are not
 * kept. Keeps at most `bodiesMax` (about 20 kB each), least recently used first out.
 */
export function compressedBodies(bodiesMax = 500): (version: string, body: () => Buffer) => Promise<Buffer> {
  const bodies = new Map<string, Promise<Buffer>>()
  return (version, body) => {
    const known = bodies.get(version)
    const compressed = known ?? compress(body())
    bodies.delete(version)
    bodies.set(version, compressed)
    if (known === undefined) compressed.catch(() => bodies.delete(version))
    const [oldest] = bodies.keys()
    if (bodies.size > bodiesMax && oldest !== undefined) bodies.delete(oldest)
    return compressed
  }
}
