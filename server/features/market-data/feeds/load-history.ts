// Loads a request for history in calls: a response may be shorter than requested, so it continues until all has arrived or nothing comes.
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { FeedError, stepMs, type HistoryRequest, type HistoryStep } from '../feed.ts'
import { coveredTime } from '../coverage.ts'
import { gridMsOf, orderlyCandles } from './orderly-candles.ts'
import type { ProviderClock } from './provider-clock.ts'

interface HistoryCalls<Row extends Candle> {
  /** Trading hours of the symbol, if known: closed hours are not requested. */
  readonly sessionClass: SessionClass | null
  /** Maximum span of one call; unlimited if undefined. */
  readonly spanMs?: number
  /** The rows of one response, ascending. @throws FeedError */
  readonly load: (span: TimeSpan) => Promise<readonly Row[]>
}

/** A provider that returns its rows in smaller pieces would use up the rate limit. */
const rowsPerPageMin = 40
const pagesMin = 40

/** The closed candles of a request, in order and checked; the future is never requested. @throws FeedError */
export async function loadHistory(request: HistoryRequest, time: ProviderClock, calls: HistoryCalls<Candle>): Promise<Candle[]> {
  const { fromMs, step, signal } = request
  const rows = await loadWholeSpan(step, { fromMs, toMs: Math.min(request.toMs, await time.nowMs(signal)) }, calls)
  return orderlyCandles(rows, request, { nowMs: await time.nowMs(signal), sessionClass: calls.sessionClass })
}

/** All rows of a span, ascending as far as their timestamps can be read. @throws FeedError */
export async function loadWholeSpan<Row extends Candle>(step: HistoryStep, whole: TimeSpan, calls: HistoryCalls<Row>): Promise<Row[]> {
  const { sessionClass, load } = calls

  /** Whether the span has a timestamp at which a candle may start. */
  function mayHaveCandles(span: TimeSpan): boolean {
    const gridMs = gridMsOf(step, sessionClass)
    if (Math.ceil(span.fromMs / gridMs) * gridMs >= span.toMs) return false
    return sessionClass === null || coveredTime(step, sessionClass, { [step]: [span] }).some((time) => hasTrading(sessionClass, time))
  }

  async function rowsOf(span: TimeSpan, pages: { left: number; readonly max: number }): Promise<readonly Row[]> {
    if (!mayHaveCandles(span)) return []
    pages.left -= 1
    if (pages.left < 0) throw new FeedError('malformed', `the history came in more than ${pages.max} pieces`)
    const rows = await load(span)
    const stamps = rows.map(({ timeMs }) => timeMs).filter((timeMs) => timeMs >= span.fromMs && timeMs < span.toMs)
    if (stamps.length === 0) return rows
    const [firstMs, lastMs] = [stamps.reduce((one, other) => Math.min(one, other)), stamps.reduce((one, other) => Math.max(one, other))]
    const known = new Set(rows.map(textOf))
    const isNew = (row: Row): boolean => !known.has(textOf(row))
    const before = await rowsOf({ fromMs: span.fromMs, toMs: firstMs }, pages)
    const after = await rowsOf({ fromMs: lastMs + stepMs[step], toMs: span.toMs }, pages)
    return [...before.filter(isNew), ...rows, ...after.filter(isNew)]
  }

  const found: Row[] = []
  for (const span of historySpans(whole, calls.spanMs ?? Infinity)) {
    const max = pagesMin + Math.floor((span.toMs - span.fromMs) / stepMs[step] / rowsPerPageMin)
    for (const row of await rowsOf(span, { left: max, max })) found.push(row)
  }
  return found
}

/** Equal for the same row in two responses, which a provider may give although it is outside the span. */
function textOf({ timeMs, open, high, low, close, volume, takerBuyVolume }: Candle): string {
  return [timeMs, open, high, low, close, volume, takerBuyVolume].join(' ')
}

/** Splits [fromMs, toMs) into spans of at most `spanMs`, ascending; empty for an empty range. */
export function historySpans(span: TimeSpan, spanMs: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += spanMs) {
    spans.push({ fromMs, toMs: Math.min(span.toMs, fromMs + spanMs) })
  }
  return spans
}
