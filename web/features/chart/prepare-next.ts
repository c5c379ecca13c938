// Subscribes to the candles of the chart under the pointer, so that a click finds them here.
import { findInstrument } from '#shared/instruments/instruments.ts'
import { parseTimeframe } from '#shared/candles/timeframe.ts'
import { ownChartRequest } from './own-chart-request.ts'
import { firstBars } from './native/view-window.ts'
import type { Address } from './use-chart-route.ts'

/** For an element of the menu: an instrument or a timeframe that is offered to this user. */
export function prepareNext(target: EventTarget, { instrument, chosen }: Address, isPremium: boolean): void {
  if (!(target instanceof Element) || target.closest('[aria-disabled=true]') !== null) return
  const slug = target.closest<HTMLElement>('li[data-slug]')?.dataset['slug']
  const code = target.closest('label')?.querySelector<HTMLInputElement>('input[name=timeframe]:enabled:not(:checked)')?.value
  const next = slug === undefined ? instrument : findInstrument(slug)
  const isOther = slug === undefined ? code !== undefined : slug !== instrument?.slug
  // The server denies it as well.
  if (next === undefined || !isOther || !(next.isFree || isPremium)) return
  const request = ownChartRequest(next, code === undefined ? chosen : parseTimeframe(code))
  if (request === undefined) return
  const { timeframe, adjustment } = request
  import('#web/features/market-data/live-candles.ts').then(
    ({ liveLine }) => liveLine.prepare({ slug: next.slug, timeframe, adjustment, bars: firstBars }),
    () => undefined,
  )
}
