// Refetches findings of a check from the source, as far as it still has the data.
import { dayMs } from '#shared/base/durations.ts'
import type { Finding } from '#shared/market-data/verify-report.ts'
import type { FeedClock } from '../feed.ts'
import { checkAdjustment, memoryChecks } from '../gateway/check-adjustment.ts'
import { HistoryFiller } from '../gateway/history-filler.ts'
import type { SeriesSource } from '../gateway/series-plan.ts'
import { stepsOfClass } from '../history-steps.ts'
import type { CandleStore } from '../store/candle-store.ts'
import type { RejectedRows } from '../store/rejected-rows.ts'

export interface RepairOptions {
  readonly series: string
  readonly candidate: SeriesSource
  readonly findings: readonly Finding[]
  readonly store: CandleStore
  readonly rejectedRows: RejectedRows
  readonly clock: FeedClock
  readonly signal: AbortSignal
}

/** Maximum refetched ranges; a source that has lost them is called for each in vain. */
const stretchesMax = 2_000

/** @throws FeedError, OutageError */
export async function repairFindings(options: RepairOptions): Promise<void> {
  const { findings } = options
  const has = (...kinds: readonly Finding['kind'][]) => findings.some(({ kind }) => kinds.includes(kind))
  if (has('adjusted-rows', 'unexplained-jump')) await compareWithSource(options)
  if (has('hole')) await fillHoles(options)
  for (const finding of findings) if (finding.kind === 'contradiction') await fetchAgain(options, finding)
}

async function compareWithSource({ series, candidate: { feed, symbol }, store, clock, signal }: RepairOptions): Promise<void> {
  await checkAdjustment({ series, feed, symbol, store, checks: memoryChecks(), clock, signal })
}

async function fillHoles({ series, candidate, store, rejectedRows, clock, signal }: RepairOptions): Promise<void> {
  const writer = { write: store.append.bind(store) }
  const filler = new HistoryFiller({ series, candidate, store, rejectedRows, writer, clock, signal })
  for (let stretch = 0; stretch < stretchesMax && (await filler.repair()); stretch += 1);
}

/** The contradicting candle and all smaller ones inside it, because it is unknown which of them is wrong. */
async function fetchAgain({ series, candidate, store, signal }: RepairOptions, { step, fromMs, toMs }: Finding): Promise<void> {
  const { feed, symbol, sessionClass } = candidate
  const steps = stepsOfClass(sessionClass).filter((known) => feed.steps.includes(known))
  for (const smaller of steps.slice(steps.findIndex((known) => known === step))) {
    // Days are stamped 00:00 UTC of their date, which is before most sessions.
    const firstMs = smaller === '1D' ? Math.floor(fromMs / dayMs) * dayMs : fromMs
    const candles = await feed.history({ symbol, step: smaller, fromMs: firstMs, toMs, signal })
    await store.append({ series, source: feed.source, step: smaller }, candles, [])
  }
}
