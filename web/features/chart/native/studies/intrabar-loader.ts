// Loads the intrabar candles of the visible bars: the newest live, older ones page by page, none twice.
import { bucketer, type Bucketer } from '#shared/candles/bucketer.ts'
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { Intrabars } from '#shared/indicators/lib/study.ts'
import { intrabarTimeframe } from '#shared/indicators/studies/volume-delta.ts'
import { snapshotMax, type CandleRow } from '#shared/market-data/live/contract.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import type { LiveSnapshot } from '#web/features/market-data/live-listener.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { ChartModel } from '../chart-model.ts'
import type { StudyConfig } from './study-config.ts'
import { requestWithRetry } from '../request-with-retry.ts'
import { barStore } from '../bar-store.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import { intrabarColumns, type IntrabarColumns } from './intrabar-columns.ts'

export interface IntrabarOptions {
  readonly slug: string
  readonly timeframe: Timeframe
  readonly source: CandleSource
  /** The bars of the chart. */
  readonly bars: () => BarColumns
  /** More is known of the forming bar; with `isAll` of other bars too. */
  readonly onData: (isAll: boolean) => void
}

const pageCandles = 5_000
/** Limit; older bars fall back to their own candles. */
const candlesMax = 60_000
const dayMs = 86_400_000

/** Undefined at a timeframe without a shorter one. */
export function intrabarFeed(options: IntrabarOptions): IntrabarFeed | undefined {
  const shorter = intrabarTimeframe(options.timeframe)
  return shorter === undefined ? undefined : new IntrabarFeed(options, shorter)
}

export class IntrabarFeed {
  readonly #options: IntrabarOptions
  readonly #request: { readonly slug: string; readonly timeframe: Timeframe }
  readonly #store = barStore()
  readonly #assigned: IntrabarColumns
  readonly #close: () => void
  /** Known with the first candles: generated prices have other hours than the instrument. */
  #bucket: Bucketer = () => null
  #wantedMs = Number.POSITIVE_INFINITY
  #hasOlder = false
  #isFetching = false
  #isStopped = false
  /** A page for candles that have been replaced since must not be merged with the new ones. */
  #generation = 0

  constructor(options: IntrabarOptions, shorter: Timeframe) {
    const { slug, source } = options
    this.#options = options
    this.#request = { slug, timeframe: shorter }
    this.#assigned = intrabarColumns(this.#store.bars, (ms) => this.#bucket(ms)?.timeMs ?? Number.NaN)
    this.#close = source.open(
      { ...this.#request, bars: snapshotMax },
      {
        snapshot: (snapshot) => this.#reset(snapshot),
        update: (rows) => this.#merge(rows),
        condition: () => undefined,
        connected: () => undefined,
        // The chart's own subscription reports the reason; without intrabar candles the bars fall back to their own values.
        ended: () => undefined,
      },
    )
  }

  get columns(): Intrabars {
    return this.#assigned.columns
  }

  /** Bars were appended, or with `isAll` replaced. */
  align(isAll: boolean): void {
    this.#assigned.align(this.#options.bars(), isAll)
  }

  /** Requests candles since this time, limited by what exists and by what a chart can use. */
  want(fromMs: number): void {
    // A day may start on the evening before its date, and the first bar of a page is only partly known.
    const leadMs = Math.max(dayMs, (stepMinutesOf(this.#options.timeframe) ?? 0) * 60_000)
    this.#wantedMs = Math.min(this.#wantedMs, fromMs - leadMs)
    this.#pump()
  }

  stop(): void {
    this.#isStopped = true
    this.#close()
  }

  #reset({ candles, condition, hasOlder }: LiveSnapshot): void {
    this.#generation += 1
    this.#bucket = bucketer(condition.sessionClass, this.#options.timeframe)
    this.#hasOlder = hasOlder
    this.#store.reset(candles)
    this.#notify(0, true)
    this.#pump()
  }

  #merge(rows: readonly CandleRow[]): void {
    const [first] = rows
    const change = this.#store.merge(rows)
    if (first === undefined || change === 'none') return
    const from = Math.max(0, this.#store.indexAt(first[0]))
    this.#notify(from, change === 'all' || !this.#assigned.isForming(from))
  }

  #notify(fromIndex: number, isAll: boolean): void {
    this.#assigned.take(fromIndex)
    this.align(isAll)
    this.#options.onData(isAll)
  }

  #pump(): void {
    const { bars } = this.#store
    const firstMs = bars.timeMs[0] as number
    if (this.#isFetching || this.#isStopped || !this.#hasOlder) return
    if (bars.length === 0 || bars.length >= candlesMax || firstMs <= this.#wantedMs) return
    this.#isFetching = true
    this.#fetchPage(firstMs).then(
      () => {
        this.#isFetching = false
        this.#pump()
      },
      // The next view change retries.
      () => (this.#isFetching = false),
    )
  }

  async #fetchPage(toMs: number): Promise<void> {
    const asked = this.#generation
    const page = await requestWithRetry(
      () => this.#options.source.older({ ...this.#request, toMs, limit: pageCandles }),
      () => !this.#isStopped,
    )
    if (this.#isStopped || asked !== this.#generation) return
    this.#hasOlder = page.hasOlder && page.candles.length > 0
    if (this.#store.prepend(page.candles) > 0) this.#notify(0, true)
  }
}

export interface IntrabarFollowerOptions {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly source: CandleSource
  readonly model: ChartModel
  /** More is known of the forming bar; with `isAll` of other bars too. */
  readonly onData: (isAll: boolean) => void
}

export interface IntrabarFollower {
  /** The visible studies have changed; `seenFrom` is the first visible bar. */
  follow(configs: readonly StudyConfig[], seenFrom: number | undefined): void
  /** Bars were appended, or with `isAll` replaced. */
  align(isAll: boolean): void
  want(seenFrom: number | undefined): void
  stop(): void
}

export function intrabarFollower({ instrument, timeframe, source, model, onData }: IntrabarFollowerOptions): IntrabarFollower {
  const { slug, hasVolume } = instrument
  const bars = () => model.store.bars
  let feed: IntrabarFeed | undefined

  function want(seenFrom: number | undefined): void {
    const fromMs = seenFrom === undefined ? undefined : bars().timeMs[Math.max(0, seenFrom)]
    if (fromMs !== undefined) feed?.want(fromMs)
  }

  return {
    follow(configs, seenFrom) {
      const isWanted = hasVolume && configs.some(({ id, isHidden }) => id === 'volumeDelta' && !isHidden)
      if (isWanted === (feed !== undefined)) return
      feed?.stop()
      feed = isWanted ? intrabarFeed({ slug, timeframe, source, bars, onData }) : undefined
      model.setIntrabars(feed?.columns)
      want(seenFrom)
    },
    align: (isAll) => feed?.align(isAll),
    want,
    stop: () => feed?.stop(),
  }
}
