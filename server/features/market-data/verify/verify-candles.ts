// Checks all stored candles, refetches what the sources still have, and reports what remains.
import type { Db } from '#server/db/database.ts'
import { dayMs } from '#shared/base/durations.ts'
import { factsOf, seriesKeys } from '#shared/instruments/instrument-facts.ts'
import { findingKinds, findingsNamedMax, type Finding, type FindingKind, type VerifyReport } from '#shared/market-data/verify-report.ts'
import { FeedError, sourceNames, type FeedClock } from '../feed.ts'
import { checkAdjustment, memoryChecks } from '../gateway/check-adjustment.ts'
import { HistoryFiller } from '../gateway/history-filler.ts'
import type { SeriesPlan, SeriesSource } from '../gateway/series-plan.ts'
import { stepsOfClass } from '../coverage.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { databaseRejectedRows, type RejectedRows } from '../store/rejected-rows.ts'
import { noteReplacedCandles } from '../store/replaced-candles.ts'
import { findFindings, type CheckedCandles } from './find-findings.ts'
import { readStoredSeries, type StoredSeries } from './repository.ts'

export interface VerifyOptions {
  readonly db: Db
  readonly store: CandleStore
  /** The current plan of a series; undefined for a check without repair. */
  readonly planOf: ((series: string) => SeriesPlan | undefined) | undefined
  readonly clock: FeedClock
  /** Called for each series, for the operator. */
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** Maximum refetched ranges; a source that has lost them is called for each in vain. */
const rangesMax = 2_000

/** @throws OutageError */
export async function verifyCandles(options: VerifyOptions): Promise<VerifyReport> {
  const { db, planOf, clock } = options
  const startedMs = clock.now()
  const counts: Record<FindingKind, { found: number; left: number }> = emptyCounts()
  let left: readonly Finding[] = []
  let [series, candles] = [0, 0]
  for (const stored of await readStoredSeries(db)) {
    const outcome = await verifySeries(options, stored)
    if (outcome === undefined) continue
    series += 1
    candles += outcome.after.candles
    for (const { kind } of outcome.before.findings) counts[kind].found += 1
    for (const { kind } of outcome.after.findings) counts[kind].left += 1
    left = left.concat(outcome.after.findings)
  }
  const named = left.slice(0, findingsNamedMax)
  return { startedMs, endedMs: clock.now(), hasRepaired: planOf !== undefined, series, candles, counts, left: named }
}

function emptyCounts(): Record<FindingKind, { found: number; left: number }> {
  const none = () => ({ found: 0, left: 0 })
  return Object.fromEntries(findingKinds.map((kind) => [kind, none()])) as Record<FindingKind, { found: number; left: number }>
}

/** Undefined for candles of a series or a source unknown to this version. */
async function verifySeries(
  options: VerifyOptions,
  { series, source: name }: StoredSeries,
): Promise<{ before: CheckedCandles; after: CheckedCandles } | undefined> {
  const { db, store, log } = options
  const source = sourceNames.find((known) => known === name)
  if (source === undefined || !seriesKeys.includes(series)) {
    log(`${series} of ${name}: unknown to this version, left alone`)
    return undefined
  }
  const check = () => findFindings({ series, source, sessionClass: factsOf(series).sessionClass, store })
  const before = await check()
  const hasRepaired = before.findings.length > 0 && (await repair(options, { series, source: name }, before.findings))
  const after = hasRepaired ? await check() : before
  if (hasRepaired) await noteReplacedCandles(db, { series, source })
  log(`${series} of ${source}: ${after.candles} candles, ${before.findings.length} found, ${after.findings.length} left`)
  return { before, after }
}

/** Whether the source was called. */
async function repair(options: VerifyOptions, { series, source }: StoredSeries, findings: readonly Finding[]): Promise<boolean> {
  const { db, planOf, store, clock, log, signal } = options
  if (planOf === undefined) return false
  const candidate = planOf(series)?.candidates.find(({ feed }) => feed.source === source)
  if (candidate === undefined) {
    log(`${series} of ${source}: cannot be repaired, the source is not switched on or has no licence`)
    return false
  }
  try {
    const rejectedRows = databaseRejectedRows({ db, now: () => clock.now() })
    await repairFindings({ series, candidate, findings, store, rejectedRows, clock, signal })
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    const what = error.kind === 'refused' ? `the source refuses ${candidate.symbol}, which may be delisted` : 'the source does not answer'
    log(`${series} of ${source}: ${what}: ${error.message}`)
  }
  return true
}

interface RepairOptions extends Pick<VerifyOptions, 'store' | 'clock' | 'signal'> {
  readonly series: string
  readonly candidate: SeriesSource
  readonly findings: readonly Finding[]
  readonly rejectedRows: RejectedRows
}

/** @throws FeedError, OutageError */
async function repairFindings(options: RepairOptions): Promise<void> {
  const { series, candidate, findings, store, clock, signal } = options
  const { feed, symbol } = candidate
  const has = (...kinds: readonly Finding['kind'][]) => findings.some(({ kind }) => kinds.includes(kind))
  if (has('adjusted-rows', 'unexplained-jump'))
    await checkAdjustment({ series, feed, symbol, store, checks: memoryChecks(), clock, signal })
  if (has('hole')) await fillHoles(options)
  for (const finding of findings) if (finding.kind === 'contradiction') await fetchAgain(options, finding)
}

async function fillHoles({ series, candidate, store, rejectedRows, clock, signal }: RepairOptions): Promise<void> {
  const writer = { write: store.append.bind(store) }
  const filler = new HistoryFiller({ series, candidate, store, rejectedRows, writer, clock, signal })
  for (let ranges = 0; ranges < rangesMax && (await filler.repair()); ranges += 1);
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
