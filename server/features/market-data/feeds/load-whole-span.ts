// Loads a span whose response may be shorter than requested: continues until its ends are reached or nothing comes.
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { FeedError, stepMs, type HistoryStep } from '../feed.ts'
import { coveredTime } from '../history-steps.ts'
import { historySpans } from './history-spans.ts'
import { gridMsOf } from './orderly-candles.ts'

export interface SpanLoad<Row extends Candle> {
  readonly step: HistoryStep
  /** Trading hours of the symbol, if known: closed hours are not requested. */
  readonly sessionClass: SessionClass | null
  /** The rows of one response, ascending. @throws FeedError */
  readonly load: (span: TimeSpan) => Promise<readonly Row[]>
}

/** A provider that returns its rows in smaller pieces would use up the rate limit. */
const rowsPerPageMin = 40
const pagesMin = 40

/** All rows of a span, ascending as far as their timestamps can be read. @throws FeedError */
export async function loadWholeSpan<Row extends Candle>(span: TimeSpan, options: SpanLoad<Row>): Promise<Row[]> {
  const { step, sessionClass, load } = options
  const pagesMax = pagesMin + Math.floor((span.toMs - span.fromMs) / stepMs[step] / rowsPerPageMin)
  let pages = 0

  /** Whether the span has a timestamp at which a candle may start. */
  function mayHaveCandles(part: TimeSpan): boolean {
    const gridMs = gridMsOf(step, sessionClass)
    if (Math.ceil(part.fromMs / gridMs) * gridMs >= part.toMs) return false
    return sessionClass === null || coveredTime(step, sessionClass, { [step]: [part] }).some((time) => hasTrading(sessionClass, time))
  }

  async function rowsOf(part: TimeSpan): Promise<readonly Row[]> {
    if (!mayHaveCandles(part)) return []
    pages += 1
    if (pages > pagesMax) throw new FeedError('malformed', `the history came in more than ${pagesMax} pieces`)
    const rows = await load(part)
    const stamps = rows.map(({ timeMs }) => timeMs).filter((timeMs) => timeMs >= part.fromMs && timeMs < part.toMs)
    if (stamps.length === 0) return rows
    const [firstMs, lastMs] = [stamps.reduce((one, other) => Math.min(one, other)), stamps.reduce((one, other) => Math.max(one, other))]
    const before = await missing({ fromMs: part.fromMs, toMs: firstMs })
    const after = await missing({ fromMs: lastMs + stepMs[step], toMs: part.toMs })
    // A response may have rows around the part, too.
    const start = rows.findLastIndex(({ timeMs }) => timeMs < part.fromMs) + 1
    const end = rows.findLastIndex(({ timeMs }) => !(timeMs >= part.toMs)) + 1
    return [...rows.slice(0, start), ...before, ...rows.slice(start, end), ...after, ...rows.slice(end)]
  }

  /** Rows around a missing part are known already. */
  async function missing(part: TimeSpan): Promise<Row[]> {
    return (await rowsOf(part)).filter(({ timeMs }) => !(timeMs < part.fromMs || timeMs >= part.toMs))
  }

  return [...(await rowsOf(span))]
}

/** The same for a span that takes several calls of at most `spanMs`. @throws FeedError */
export async function loadWholeSpans<Row extends Candle>(span: TimeSpan, spanMs: number, options: SpanLoad<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of historySpans(span, spanMs)) for (const row of await loadWholeSpan(part, options)) rows.push(row)
  return rows
}
