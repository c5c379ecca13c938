// The calls of the chart page: what a chart needs to show an instrument, and the six toggles of the account.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { chartFlagsSchema } from './chart-flags.ts'
import { widgetSupports } from './widget-support.ts'

const chartSchema = z.object({
  slug: z.string(),
  label: z.string(),
  name: z.string(),
  /** Symbol of the charting provider, such as FX:EURUSD. */
  symbol: z.string(),
  /** What the provider's free widget shows of it. */
  widget: z.enum(widgetSupports),
  /** A sentence that the chart must carry, such as a demerger; null if none. */
  note: z.string().nullable(),
  /** Study ids of the enabled toggles; always empty for who has no premium. */
  studies: z.array(z.string()),
})

export type ChartConfig = z.output<typeof chartSchema>

export const marketRoutes = {
  chart: route({
    method: 'GET',
    path: '/market/charts/:slug',
    access: 'signed-in',
    summary: 'What the chart page needs for one instrument; all but the free one need premium.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    reply: z.object({ success: z.literal(true), data: chartSchema }),
    refusals: [401, 403, 404],
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
