// Query options for the chart page's API calls.
import { queryOptions } from '@tanstack/react-query'
import type { ChartFlags } from '#shared/chart/chart-flags.ts'
import { chartRoutes } from '#shared/chart/contract.ts'
import { call } from '#web/lib/api.ts'
import { rememberCalendars } from './calendar-cache.ts'
import { rememberListing } from './chart-listings.ts'
import { noteServerTime } from '#web/features/market-data/server-offset.ts'

const chartKey = ['chart'] as const

/** Premium is part of the query key because the answer depends on it. */
export function chartQuery(slug: string, isPremium: boolean) {
  return queryOptions({
    queryKey: [...chartKey, slug, isPremium],
    queryFn: async () => {
      const { data } = await call(chartRoutes.config, { params: { slug } })
      noteServerTime(data.nowMs)
      rememberListing(data)
      rememberCalendars(data.calendars)
      return data
    },
    // The data does not go stale, and a refetch would redraw the chart while the user is looking at it.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const chartsKey: readonly string[] = chartKey

export const chartSettingsQuery = queryOptions({
  queryKey: ['chart-settings'],
  queryFn: async () => (await call(chartRoutes.settings)).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export async function saveChartFlags(flags: ChartFlags): Promise<ChartFlags> {
  return (await call(chartRoutes.saveSettings, { body: flags })).data
}
