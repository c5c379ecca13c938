// Loads what the user is likely to open next, so that a click finds it here: the chart under the pointer or the focus, and after a change
// of timeframe the next one in that direction.
import { useEffect, useState } from 'react'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { parseTimeframe, timeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { chartQuery } from './api.ts'
import { ownChartRequest } from './own-chart-request.ts'
import { firstBars } from './native/view-window.ts'
import type { Address, Place } from './use-chart-route.ts'

/** For an element of the menu: an instrument or a timeframe that is offered to this user. */
export function prepareNext(target: EventTarget, { instrument, chosen }: Address, isPremium: boolean): void {
  if (!(target instanceof Element) || target.closest('[aria-disabled=true]') !== null) return
  const slug = target.closest<HTMLElement>('li[data-slug]')?.dataset['slug']
  const code = target.closest('label')?.querySelector<HTMLInputElement>('input[name=timeframe]:enabled:not(:checked)')?.value
  const next = slug === undefined ? instrument : findInstrument(slug)
  const isOther = slug === undefined ? code !== undefined : slug !== instrument?.slug
  if (next === undefined || !isOther) return
  prepare(next, code === undefined ? chosen : parseTimeframe(code), isPremium)
}

/** Long enough for the chart that was just opened to be drawn. */
const restMs = 300

/** Arrow keys step through the timeframes. */
export function useNextTimeframe({ instrument, shown, isOffered }: Place, isPremium: boolean): void {
  const [opened, setOpened] = useState({ instrument, shown, next: undefined as Timeframe | undefined })
  if (opened.instrument !== instrument || opened.shown !== shown) {
    const offered: readonly Timeframe[] = timeframes.filter(isOffered)
    const [from, at] = [offered.indexOf(opened.shown), offered.indexOf(shown)]
    const isStep = opened.instrument === instrument && from >= 0 && at >= 0
    setOpened({ instrument, shown, next: isStep ? offered[at + Math.sign(at - from)] : undefined })
  }
  const { next } = opened
  useEffect(() => {
    if (instrument === undefined || next === undefined) return undefined
    const timer = setTimeout(() => prepare(instrument, next, isPremium), restMs)
    return () => clearTimeout(timer)
  }, [instrument, next, isPremium])
}

function prepare(next: Instrument, chosen: Timeframe, isPremium: boolean): void {
  // The server denies it as well.
  if (!(next.isFree || isPremium)) return
  const request = ownChartRequest(next, chosen)
  if (request === undefined) return
  void queryClient.prefetchQuery(chartQuery(next.slug, isPremium))
  const { timeframe, adjustment } = request
  import('#web/features/market-data/live-candles.ts').then(
    ({ liveCandles }) => liveCandles.prepare({ slug: next.slug, timeframe, adjustment, bars: firstBars }),
    () => undefined,
  )
}
