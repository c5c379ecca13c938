// Routes of the chart page: chart config of an instrument, and the six toggles of the account.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { chartFlagsSchema } from './chart-flags.ts'
import { firstCharts, nativeSources } from './chart-choice.ts'
import { missingCandlesSchema } from './missing-candles.ts'
import { calendarListSchema } from '#shared/trading-hours/calendar-list-schema.ts'
import { substituteSchema } from './substitute-schema.ts'
import { widgetSupports } from './widget-support.ts'

const chartSchema = z.object({
  slug: z.string(),
  label: z.string(),
  name: z.string(),
  /** Symbol at the charting provider, for example FX:EURUSD. */
  symbol: z.string(),
  /** What the provider's free widget has of it. */
  widget: z.enum(widgetSupports),
  /** Other symbols that the widget may show instead, in order of preference; always labelled. */
  substitutes: z.array(substituteSchema),
  /** What the Tezi chart can show this user now: real prices, generated ones, or nothing. */
  native: z.enum(nativeSources),
  /** Which chart Automatic tries first. */
  firstChart: z.enum(firstCharts),
  /** Holiday lists that the operator has imported. */
  calendars: z.array(calendarListSchema).readonly(),
  /** A note that the chart must show, for example about a demerger; null if none. */
  note: z.string().nullable(),
  /** Study ids of the enabled toggles; always empty for free users. */
  studies: z.array(z.string()),
  /** Candles of the shown source that stay missing, the newest ones. */
  missing: z.array(missingCandlesSchema),
  /** Server time, epoch milliseconds. */
  nowMs: z.number(),
})

export type ChartConfig = z.output<typeof chartSchema>

export const chartRoutes = {
  config: route({
    method: 'GET',
    path: '/market/charts/:slug',
    access: 'signed-in',
    summary: 'What the chart page needs for one instrument; all but the free one need premium.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    reply: z.object({ success: z.literal(true), data: chartSchema }),
    errorStatuses: [401, 403, 404],
  }),
  settings: route({
    method: 'GET',
    path: '/user/chart-settings',
    access: 'premium',
    summary: 'The six toggles of this account.',
    reply: z.object({ success: z.literal(true), data: chartFlagsSchema }),
    errorStatuses: [401, 403],
  }),
  saveSettings: route({
    method: 'PUT',
    path: '/user/chart-settings',
    access: 'premium',
    summary: 'Replace the six toggles of this account.',
    body: chartFlagsSchema,
    reply: z.object({ success: z.literal(true), data: chartFlagsSchema }),
    errorStatuses: [400, 401, 403],
  }),
}
