// Data of one chart without rendering: candle store, bars of the chosen style, their days, and study inputs.
import { indiaDayNumber } from '#shared/base/india-time.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { corporateActionsOf } from '#shared/candles/corporate-actions.ts'
import type { Intrabars, OfficialColumns, StudyContext } from '#shared/indicators/lib/study.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { dayOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { barStore, plainBars, type BarStore } from './bar-store.ts'
import type { CandleStyle } from './chart-options.ts'
import { binarySearch } from '#shared/base/binary-search.ts'
import { periodIds, type PeriodIds } from './period-ids.ts'
import type { PlacedAction } from './primitives/session-breaks.ts'
import { heikinAshi } from './transforms/heikin-ashi.ts'
import { Renko } from './transforms/renko.ts'
import type { ShownBars } from './transforms/display-bars.ts'

export class ChartModel {
  readonly store: BarStore = barStore()
  readonly context: StudyContext
  readonly #instrument: Instrument
  readonly #timeframe: Timeframe
  #style: CandleStyle
  #shown: ShownBars
  #periods: PeriodIds
  #actions: readonly PlacedAction[] = []
  #missingMs: readonly number[] = []
  #missing: readonly number[] = []
  #intrabars: Intrabars | undefined
  #official: OfficialColumns | undefined

  constructor(instrument: Instrument, timeframe: Timeframe, style: CandleStyle) {
    this.#instrument = instrument
    this.#timeframe = timeframe
    this.#style = style
    this.#shown = shownOf(this.store, { style, instrument, timeframe })
    this.#periods = periodIds(instrument.sessionClass, timeframe)
    this.context = this.#contextOf()
  }

  /** The displayed bars. */
  get shown(): ShownBars {
    return this.#shown
  }

  get actions(): readonly PlacedAction[] {
    return this.#actions
  }

  /** Indexes of the bars before which candles are missing for good. */
  get missing(): readonly number[] {
    return this.#missing
  }

  /** Timestamps of the missing candles, ascending. */
  setMissing(times: readonly number[]): void {
    this.#missingMs = times
    this.#missing = this.#placeMissing()
  }

  /** Day number of a bar. */
  dayAt(index: number): number {
    return this.#periods.dayAt(index)
  }

  /** Shorter candles inside those of the store, for studies that read them. */
  setIntrabars(intrabars: Intrabars | undefined): void {
    this.#intrabars = intrabars
  }

  /** Daily candles of the series, for studies that read them. */
  setOfficial(official: OfficialColumns | undefined): void {
    this.#official = official
  }

  /** Replaces everything; `sessionClass` is that of the data, which differs from the instrument's for generated prices. */
  reset(rows: readonly CandleRow[], sessionClass: SessionClass): void {
    this.store.reset(rows)
    this.#periods = periodIds(sessionClass, this.#timeframe)
    this.#remake()
  }

  /** Replaces the candles in a range of time; returns whether any of them differs. */
  replace(span: TimeSpan, rows: readonly CandleRow[]): boolean {
    const isOther = this.store.replace(span, rows)
    if (isOther) this.#remake()
    return isOther
  }

  setStyle(style: CandleStyle): void {
    this.#style = style
    this.#shown = shownOf(this.store, { style, instrument: this.#instrument, timeframe: this.#timeframe })
    this.#remake()
  }

  /** First displayed bar that changed; `all` where older ones did, `none` where nothing did. */
  merge(rows: readonly CandleRow[]): number | 'all' | 'none' {
    const change = this.store.merge(rows)
    if (change === 'none') return 'none'
    if (change === 'all') {
      this.#remake()
      return 'all'
    }
    const { bars } = this.#shown
    const before = bars.length
    const lastMs = bars.timeMs[before - 1]
    const from = this.#shown.advance()
    // Most ticks change only the prices of the last bar, and its day is known.
    const isSameBar = bars.length === before && from === before - 1 && bars.timeMs[from] === lastMs
    if (!isSameBar) this.#periods.follow(bars, Math.min(from, before))
    // The library cannot append when bricks were removed, or when more than the last two bricks of a candle changed.
    return bars.length < before || from < before - 2 ? 'all' : from
  }

  /** How many displayed bars were prepended; negative where the style merged some. */
  prepend(rows: readonly CandleRow[]): number {
    const before = this.#shown.bars.length
    if (this.store.prepend(rows) === 0) return 0
    this.#remake()
    return this.#shown.bars.length - before
  }

  #remake(): void {
    this.#shown.full()
    this.#periods.follow(this.#shown.bars, 0)
    this.#actions = this.#placeActions()
    this.#missing = this.#placeMissing()
  }

  /** The first bar after each; one outside the loaded bars has no place. */
  #placeMissing(): readonly number[] {
    const { length, timeMs } = this.#shown.bars
    const places = this.#missingMs.map((ms) => binarySearch(length, (at) => (timeMs[at] ?? 0) >= ms))
    return [...new Set(places)].filter((index) => index > 0 && index < length)
  }

  #placeActions(): readonly PlacedAction[] {
    const { length } = this.#shown.bars
    return corporateActionsOf(this.#instrument.series).flatMap((action) => {
      const day = dayOf(action.exDate)
      // First bar on that day, or on the next day with bars.
      const index = binarySearch(length, (at) => this.dayAt(at) >= day)
      // Before the first bar its position is unknown, after the last one it has not happened yet.
      return index === 0 || index >= length ? [] : [{ action, index }]
    })
  }

  #contextOf(): StudyContext {
    const isRenko = () => this.#style === 'renko'
    const bars = () => (isRenko() ? this.#shown.bars : this.store.bars)
    const periods = () => {
      const { columns } = this.#periods
      columns.official = this.#official
      return columns
    }
    // Renko bricks have no fixed duration.
    const intrabars = () => (isRenko() ? undefined : this.#intrabars)
    const { sessionClass, tickSize, hasVolume } = this.#instrument
    return {
      get bars() {
        return bars()
      },
      get periods() {
        return periods()
      },
      get intrabars() {
        return intrabars()
      },
      timeframe: this.#timeframe,
      sessionClass,
      tickSize,
      hasVolume,
    }
  }
}

interface StyleOptions {
  readonly style: CandleStyle
  readonly instrument: Instrument
  readonly timeframe: Timeframe
}

function shownOf(store: BarStore, { style, instrument, timeframe }: StyleOptions): ShownBars {
  if (style === 'heikin-ashi') return heikinAshi(store)
  if (style !== 'renko') return plainBars(store)
  // No Indian market trades at midnight, so a session is never split.
  return new Renko(store, instrument.tickSize, stepMinutesOf(timeframe) === undefined ? yearOf : indiaDayNumber)
}

function yearOf(timeMs: number): number {
  return new Date(timeMs).getUTCFullYear()
}
