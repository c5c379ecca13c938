// A feed whose source adjusts its history for later splits and bonuses: returns unadjusted prices and volumes.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { isSplit, unadjusted } from '#shared/candles/price-adjuster.ts'
import { corporateActionsOf, type CorporateAction } from '#shared/candles/corporate-actions.ts'
import type { Feed, FeedClock } from '../feed.ts'

/** All splits and bonuses of one ex-date. */
interface SplitDate {
  readonly exMs: number
  readonly factor: number
  readonly actions: readonly CorporateAction[]
}

/** A source rewrites its history within some days of an ex-date; until then it is checked again. */
const settledAfterMs = 7 * dayMs
const trustMs = hourMs
const undecidedMs = 5 * minuteMs
/** Contains trading days on both sides of an ex-date. */
const probeBeforeMs = 15 * dayMs
const probeAfterMs = 8 * dayMs

/** The ex-dates of a series with splits or bonuses up to an instant, oldest first. */
export function splitDatesOf(series: string, untilMs: number): readonly SplitDate[] {
  const byDate = Map.groupBy(corporateActionsOf(series).filter(isSplit), ({ exDate }) => Date.parse(exDate))
  return [...byDate]
    .filter(([exMs]) => exMs <= untilMs)
    .map(([exMs, actions]) => ({ exMs, actions, factor: actions.reduce((all, { priceFactor }) => all * priceFactor, 1) }))
}

/**
 * Wraps a feed with adjusted history. The source's own candles around the ex-date show whether it has applied an action
 * already; if they are inconclusive, it counts as applied.
 */
export function unadjustedFeed(
  feed: Feed,
  { series, priceDecimals, clock }: { series: string; priceDecimals: number; clock: Pick<FeedClock, 'now'> },
): Feed {
  if (feed.splitHistory !== 'adjusted' || splitDatesOf(series, Infinity).length === 0) return feed
  const probes = new Map<string, { readonly isApplied: boolean; readonly untilMs: number }>()

  async function isApplied(symbol: string, date: SplitDate): Promise<boolean> {
    const name = `${symbol} ${date.exMs}`
    const known = probes.get(name)
    const nowMs = clock.now()
    if (known !== undefined && nowMs < known.untilMs) return known.isApplied
    const found = await probe(feed, symbol, date, nowMs)
    const cachedMs = found === undefined ? undecidedMs : nowMs - date.exMs > settledAfterMs ? Infinity : trustMs
    probes.set(name, { isApplied: found ?? true, untilMs: nowMs + cachedMs })
    return found ?? true
  }

  return {
    ...feed,
    async history(request) {
      const candles = await feed.history(request)
      const firstMs = candles[0]?.timeMs ?? Infinity
      const applied: CorporateAction[] = []
      for (const date of splitDatesOf(series, clock.now()))
        if (firstMs < date.exMs && (await isApplied(request.symbol, date))) applied.push(...date.actions)
      return applied.length === 0 ? candles : candles.map((candle) => unadjusted(candle, applied, priceDecimals))
    },
  }
}

/** In adjusted history the ex-date shows no jump; otherwise the price jumps by about the factor. Undefined without both sides. */
async function probe(feed: Feed, symbol: string, { exMs, factor }: SplitDate, nowMs: number): Promise<boolean | undefined> {
  const days = await feed.history({ symbol, step: '1D', fromMs: exMs - probeBeforeMs, toMs: Math.min(nowMs, exMs + probeAfterMs) })
  const before = days.findLast(({ timeMs }) => timeMs < exMs)
  const minutes = () => feed.history({ symbol, step: '1m', fromMs: exMs, toMs: Math.min(nowMs, exMs + dayMs) })
  const after = days.find(({ timeMs }) => timeMs >= exMs) ?? (await minutes())[0]
  if (before === undefined || after === undefined) return undefined
  const jump = Math.log(after.open / before.close)
  return Math.abs(jump) < Math.abs(jump - Math.log(factor))
}
