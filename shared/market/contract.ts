// The calls of the chart page: what a chart needs to show an instrument, and the six toggles of the account.
import { z } from 'zod'
import { queryNumber } from '#shared/http/query-number.ts'
import { route } from '#shared/http/route.ts'
import { chartFlagsSchema } from './chart-flags.ts'
import { adjustments, defaultAdjustment } from './corporate-actions.ts'
import { firstCharts, nativeSources } from './engine-choice.ts'
import { candleRowSchema, dataLabelSchema } from './live.ts'
import { substituteSchema } from './substitute-schema.ts'
import { defaultTimeframe, knownTimeframes } from './timeframe.ts'
import { widgetSupports } from './widget-support.ts'

const chartSchema = z.object({
  slug: z.string(),
  label: z.string(),
  name: z.string(),
  /** Symbol of the charting provider, such as FX:EURUSD. */
  symbol: z.string(),
  /** What the provider's free widget shows of it. */
  widget: z.enum(widgetSupports),
  /** Other symbols that the widget may show in its place, in the order in which they are tried; never without a label. */
  substitutes: z.array(substituteSchema),
  /** What our own chart can show this person now: real prices, generated ones, or nothing. */
  native: z.enum(nativeSources),
  /** Which chart Automatic tries first. */
  firstChart: z.enum(firstCharts),
  /** A sentence that the chart must carry, such as a demerger; null if none. */
  note: z.string().nullable(),
  /** Study ids of the enabled toggles; always empty for who has no premium. */
  studies: z.array(z.string()),
  /** The server's clock, epoch milliseconds. */
  nowMs: z.number(),
})

export type ChartConfig = z.output<typeof chartSchema>

/** Candles that one answer can hold. */
export const candlesMax = 5_000

/** The year 2200: later than any candle, and still an exact number. */
const stampMax = 7_258_118_400_000

const candlesSchema = z.object({
  /** Key of the prices; two names of one instrument share it. */
  series: z.string(),
  /** Machine name of the source, such as binance; null where nobody has prices. */
  source: z.string().nullable(),
  /** Without it no price may be shown; null where there is none. */
  label: dataLabelSchema.nullable(),
  /** Why there are no prices, or lesser ones; null if all is well. */
  reason: z.string().nullable(),
  /** What the prices are adjusted for; `none` where no corporate action applies. */
  adjustment: z.enum(adjustments),
  /** Ascending; stamps in epoch milliseconds. The last one may still form; the socket tells how it goes on. */
  candles: z.array(candleRowSchema),
  /** Whether asking with `to` set to the first stamp makes sense. */
  hasOlder: z.boolean(),
  /** Stamp of the very first candle of the source, where the page begins with it; null where that is not known, left out without a source. */
  startsAtMs: z.number().nullable().optional(),
  nowMs: z.number(),
})

export const marketRoutes = {
  candles: route({
    method: 'GET',
    path: '/market/candles/:slug',
    access: 'signed-in',
    summary: 'The newest candles of one instrument before a moment; all but the free one need premium.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    query: z.object({
      timeframe: z.enum(knownTimeframes).default(defaultTimeframe),
      /** Candles with stamps before this moment, epoch milliseconds; without it the newest ones. */
      to: queryNumber(0, stampMax).optional(),
      limit: queryNumber(1, candlesMax).default(500),
      /** Corporate actions that earlier prices are adjusted for. */
      adjustment: z.enum(adjustments).default(defaultAdjustment),
    }),
    reply: z.object({ success: z.literal(true), data: candlesSchema }),
    refusals: [400, 401, 403, 404, 429],
  }),
  chart: route({
    method: 'GET',
    path: '/market/charts/:slug',
    access: 'signed-in',
    summary: 'What the chart page needs for one instrument; all but the free one need premium.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    reply: z.object({ success: z.literal(true), data: chartSchema }),
    refusals: [401, 403, 404],
  }),
  hiddenInstruments: route({
    method: 'GET',
    path: '/market/hidden-instruments',
    access: 'signed-in',
    summary: 'Slugs of the instruments that an admin has taken out of the menu; their charts answer 404.',
    reply: z.object({ success: z.literal(true), data: z.array(z.string()) }),
    refusals: [401],
  }),
  chartSettings: route({
    method: 'GET',
    path: '/user/chart-settings',
    access: 'premium',
    summary: 'The six toggles of this account.',
    reply: z.object({ success: z.literal(true), data: chartFlagsSchema }),
    refusals: [401, 403],
  }),
  saveChartSettings: route({
    method: 'PUT',
    path: '/user/chart-settings',
    access: 'premium',
    summary: 'Replace the six toggles of this account.',
    body: chartFlagsSchema,
    reply: z.object({ success: z.literal(true), data: chartFlagsSchema }),
    refusals: [400, 401, 403],
  }),
}
