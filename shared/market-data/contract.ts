// The candles of an instrument.
import { z } from 'zod'
import { adjustments, defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { defaultTimeframe, knownTimeframes } from '#shared/candles/timeframe.ts'
import { queryNumber } from '#shared/http/query-number.ts'
import { route } from '#shared/http/route.ts'
import { candleRowSchema, dataLabelSchema } from './live/contract.ts'
import { candlesMax } from './candle-columns.ts'

/** The year 2200: later than any candle, and still an exact number. */
const stampMax = 7_258_118_400_000

const candlesSchema = z.object({
  /** Price series key; instruments with the same prices share it. */
  series: z.string(),
  /** Source id, for example binance; null if there is no source. */
  source: z.string().nullable(),
  /** Required to show a price; null if there is none. */
  label: dataLabelSchema.nullable(),
  /** Why there are no prices, or degraded ones; null otherwise. */
  reason: z.string().nullable(),
  /** Applied adjustment; `none` if no corporate action applies. */
  adjustment: z.enum(adjustments),
  /** Ascending; timestamps in epoch milliseconds. The last one may still form; the socket sends its updates. */
  candles: z.array(candleRowSchema),
  /** Whether a request with `to` set to the first timestamp can return candles. */
  hasOlder: z.boolean(),
  /** Timestamp of the source's very first candle, if the page starts with it; null if unknown, omitted without a source. */
  startsAtMs: z.number().nullable().optional(),
  /**
   * With `pages`: the page before this one, if its candles do not change any more. A browser caches the response to a
   * request with these values, whose edition names its candles and who may see them.
   */
  older: z.object({ to: z.number(), limit: z.number(), edition: z.string() }).nullable().optional(),
  /** When the response was made; a cached one is older. */
  nowMs: z.number(),
})

export const marketDataRoutes = {
  candles: route({
    method: 'GET',
    path: '/market/candles/:slug',
    access: 'signed-in',
    isCacheable: true,
    summary: 'The newest candles of one instrument before a moment; all but the free one need premium.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    query: z.object({
      timeframe: z.enum(knownTimeframes).default(defaultTimeframe),
      /** Candles before this time, epoch milliseconds; default: the newest. */
      to: queryNumber(0, stampMax).optional(),
      limit: queryNumber(1, candlesMax).default(500),
      /** Corporate actions for which earlier prices are adjusted. */
      adjustment: z.enum(adjustments).default(defaultAdjustment),
      /** Pages that start at fixed times; they may have more candles than `limit`. */
      pages: z.literal('fixed').optional(),
      /** As in `older`. If it is no longer the current one, the response is as without it. */
      edition: z.string().max(64).optional(),
    }),
    reply: z.object({ success: z.literal(true), data: candlesSchema }),
    errorStatuses: [400, 401, 403, 404, 429],
  }),
}
