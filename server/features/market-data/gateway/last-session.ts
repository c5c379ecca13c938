// Fills minutes of the newest session that are beyond the source's history, so that a first start at a weekend shows a chart.
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { sessionsBetween, tradingGaps } from '#shared/trading-hours/trading-gaps.ts'
import type { FeedClock, RejectedRow } from '../feed.ts'
import type { CandleStore } from '../store/candle-store.ts'
import type { RejectedRows } from '../store/rejected-rows.ts'
import type { Candidate } from './source-plan.ts'
import type { StoreWriter } from './store-writer.ts'

/** Longer than any market closure. */
const lookBackMs = 14 * dayMs

interface LastSessionDeps {
  readonly series: string
  readonly candidate: Candidate
  readonly store: Pick<CandleStore, 'coverage'>
  readonly rejectedRows: RejectedRows
  readonly writer: Pick<StoreWriter, 'write'>
  readonly clock: FeedClock
  readonly signal: AbortSignal
}

/** Resolves to whether minutes were loaded; false if nothing is missing, or the source has no older minutes. */
export function lastSessionFiller({
  series,
  candidate,
  store,
  rejectedRows,
  writer,
  clock,
  signal,
}: LastSessionDeps): () => Promise<boolean> {
  const { feed, symbol, sessionClass } = candidate
  const { source } = feed
  let running: Promise<boolean> | undefined

  async function fill(): Promise<boolean> {
    const reachMs = feed.reachMs?.['1m']
    // Around-the-clock markets always have new minutes, and coins have too many trades.
    if (feed.olderMinutes === undefined || reachMs === undefined || sessionClass === 'crypto') return false
    const rejectedBefore = await rejectedRows.list({ series, source, step: '1m' })
    const spans = rejectedBefore.reduce(addSpan, [...((await store.coverage({ series, source }))['1m'] ?? [])])
    const missing = missingBefore(sessionClass, Math.ceil((clock.now() - reachMs) / minuteMs) * minuteMs, spans)
    if (missing === undefined) return false
    let rejected: readonly RejectedRow[] = []
    const onRejected = (rows: readonly RejectedRow[]): void => void (rejected = rejected.concat(rows))
    const { candles, fromMs } = await feed.olderMinutes({ symbol, ...missing, signal, onRejected })
    if (fromMs >= missing.toMs) return false
    const key = { series, source, step: '1m' } as const
    const loaded = { fromMs, toMs: missing.toMs }
    const holes = rejected.map(({ span }) => span)
    await writer.write(key, candles, subtractSpans([loaded], holes))
    const settled = await rejectedRows.note(key, loaded, rejected)
    if (settled.length > 0) await writer.write(key, [], settled)
    return true
  }

  return () => (running ??= fill().finally(() => (running = undefined)))
}

/** The newest uncovered trading span before an instant, of its session or the last one before. */
function missingBefore(sessionClass: SessionClass, beforeMs: number, covered: readonly TimeSpan[]): TimeSpan | undefined {
  const session = [...sessionsBetween(sessionClass, { fromMs: beforeMs - lookBackMs, toMs: beforeMs })].at(-1)
  if (session === undefined) return undefined
  const span = { fromMs: session.openMs, toMs: Math.min(session.closeMs, beforeMs) }
  return tradingGaps(sessionClass, span, covered).at(-1)
}
