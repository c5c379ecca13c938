// Brings the shorter candles inside the bars that are looked at: the newest live, older ones page by page, none of them twice.
import { bucketer, type Bucketer } from '#shared/market/sessions/bucket.ts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import type { Intrabars } from '#shared/market/indicators/study.ts'
import { intrabarTimeframe } from '#shared/market/indicators/volume-delta.ts'
import { snapshotMax, type CandleRow } from '#shared/market/live.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { askPatiently } from '../ask-patiently.ts'
import { barStore } from '../bar-store.ts'
import type { CandleSource } from '../candle-source.ts'
import { intrabarColumns } from './intrabar-columns.ts'

export interface IntrabarNeeds {
  readonly slug: string
  readonly timeframe: Timeframe
  readonly source: CandleSource
  /** The bars of the chart. */
  readonly bars: () => BarColumns
  /** More is known of the forming bar; of other bars too where `isAll`. */
  readonly onData: (isAll: boolean) => void
}

export interface IntrabarFeed {
  readonly columns: Intrabars
  /** The chart has new bars, or other ones altogether. */
  align(isAll: boolean): void
  /** Asks for those since this moment, as far as there are any and not more than a chart can use. */
  want(fromMs: number): void
  stop(): void
}

const pageCandles = 5_000
/** Beyond so many shorter candles older bars keep to what they know themselves. */
const candlesMax = 60_000
const dayMs = 86_400_000

/** Undefined at a timeframe for which nothing shorter is kept. */
export function intrabarFeed({ slug, timeframe, source, bars, onData }: IntrabarNeeds): IntrabarFeed | undefined {
  const shorter = intrabarTimeframe(timeframe)
  if (shorter === undefined) return undefined
  const wish = { slug, timeframe: shorter }
  const store = barStore()
  /** Known with the first candles: generated prices follow other hours than the instrument. */
  let bucket: Bucketer = () => null
  const laid = intrabarColumns(store.bars, (ms) => bucket(ms)?.timeMs ?? Number.NaN)
  let wantedMs = Number.POSITIVE_INFINITY
  let hasOlder = false
  let isFetching = false
  let isStopped = false
  /** A page for candles that have been replaced meanwhile must not be joined with the new ones. */
  let generation = 0

  function tell(fromIndex: number, isAll: boolean): void {
    laid.take(fromIndex)
    laid.align(bars(), isAll)
    onData(isAll)
  }

  function merge(rows: readonly CandleRow[]): void {
    const [first] = rows
    const change = store.merge(rows)
    if (first === undefined || change === 'none') return
    const from = Math.max(0, store.indexAt(first[0]))
    tell(from, change === 'all' || !laid.isForming(from))
  }

  const close = source.open(
    { ...wish, bars: snapshotMax },
    {
      snapshot({ candles, condition, hasOlder: isMore }) {
        generation += 1
        bucket = bucketer(condition.sessionClass, timeframe)
        hasOlder = isMore
        store.reset(candles)
        tell(0, true)
        pump()
      },
      update: merge,
      condition: () => undefined,
      connected: () => undefined,
      // The chart's own line says why; without shorter candles the bars keep to what they know themselves.
      ended: () => undefined,
    },
  )

  function pump(): void {
    const firstMs = store.bars.timeMs[0] as number
    if (isFetching || isStopped || !hasOlder || store.bars.length === 0 || store.bars.length >= candlesMax || firstMs <= wantedMs) return
    isFetching = true
    fetchPage(firstMs).then(
      () => {
        isFetching = false
        pump()
      },
      // The next look asks again.
      () => (isFetching = false),
    )
  }

  async function fetchPage(toMs: number): Promise<void> {
    const asked = generation
    const page = await askPatiently(
      () => source.older({ ...wish, toMs, limit: pageCandles }),
      () => !isStopped,
    )
    if (isStopped || asked !== generation) return
    hasOlder = page.hasOlder && page.candles.length > 0
    if (store.prepend(page.candles) > 0) tell(0, true)
  }

  return {
    columns: laid.columns,
    align: (isAll) => laid.align(bars(), isAll),
    want(fromMs) {
      // A day may begin on the evening before its date, and the first bar of a page is only known in part.
      const leadMs = Math.max(dayMs, (stepMinutesOf(timeframe) ?? 0) * 60_000)
      wantedMs = Math.min(wantedMs, fromMs - leadMs)
      pump()
    },
    stop() {
      isStopped = true
      close()
    },
  }
}
