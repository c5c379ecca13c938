// The calls of the chart page as query options.
import { queryOptions } from '@tanstack/react-query'
import type { ChartFlags } from '#shared/market/chart-flags.ts'
import { client } from '#web/lib/api.ts'
import { rememberListing } from './chart-listings.ts'
import { noteServerTime } from './server-clock.ts'

const chartKey = ['chart'] as const

/** What one chart needs; premium is part of the key, because the answer depends on it. */
export function chartQuery(slug: string, isPremium: boolean) {
  return queryOptions({
    queryKey: [...chartKey, slug, isPremium],
    queryFn: async () => {
      const { data } = await client.market.chart({ params: { slug } })
      noteServerTime(data.nowMs)
      rememberListing(data)
      return data
    },
    // A fresh answer would not differ, and a changed one would redraw the chart under the reader's eyes.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Slugs of the instruments that an admin has hidden. */
export const hiddenQuery = queryOptions({
  queryKey: ['hidden-instruments'],
  queryFn: async () => (await client.market.hiddenInstruments()).data,
  staleTime: 60_000,
})

export const chartsKey: readonly string[] = chartKey

export const chartSettingsQuery = queryOptions({
  queryKey: ['chart-settings'],
  queryFn: async () => (await client.market.chartSettings()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export async function saveChartFlags(flags: ChartFlags): Promise<ChartFlags> {
  return (await client.market.saveChartSettings({ body: flags })).data
}
