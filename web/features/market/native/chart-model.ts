// The data of one chart without its picture: the store, the bars of the chosen style, their days, and what studies read.
import { dayMs } from '#shared/base/durations.ts'
import { corporateActionsOf } from '#shared/market/corporate-actions.ts'
import type { Intrabars, OfficialColumns, StudyContext } from '#shared/market/indicators/study.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { CandleRow } from '#shared/market/live.ts'
import { dayOf } from '#shared/market/sessions/days.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { barStore, type BarStore } from './bar-store.ts'
import type { CandleStyle } from './chart-options.ts'
import { firstIndex } from '#shared/base/first-index.ts'
import { periodIds, type PeriodIds } from './period-ids.ts'
import type { PlacedAction } from './primitives/ground.ts'
import { heikinAshi } from './transforms/heikin-ashi.ts'
import { plainBars } from './transforms/plain-bars.ts'
import { renko } from './transforms/renko.ts'
import type { ShownBars } from './transforms/shown-bars.ts'

export interface ChartModel {
  readonly store: BarStore
  /** The bars that are drawn. */
  readonly shown: ShownBars
  /** Day number of a bar. */
  readonly dayAt: (index: number) => number
  readonly context: StudyContext
  /** Shorter candles inside those of the store, for studies that read them. */
  setIntrabars(intrabars: Intrabars | undefined): void
  /** Daily candles of the series, for studies that read them. */
  setOfficial(official: OfficialColumns | undefined): void
  readonly actions: readonly PlacedAction[]
  /** Everything anew; `sessionClass` is that of the data, which for generated prices is another than the instrument's. */
  reset(rows: readonly CandleRow[], sessionClass: SessionClass): void
  setStyle(style: CandleStyle): void
  /** First shown bar that changed; `all` where older ones did, `none` where nothing did. */
  merge(rows: readonly CandleRow[]): number | 'all' | 'none'
  /** How many shown bars came before the others; less than none where the style joined some. */
  prepend(rows: readonly CandleRow[]): number
}

export function chartModel(instrument: Instrument, timeframe: Timeframe, firstStyle: CandleStyle): ChartModel {
  const store = barStore()
  let style = firstStyle
  let shown = shownOf(store, { style, instrument, timeframe })
  let periods: PeriodIds = periodIds(instrument.sessionClass, timeframe)
  let actions: readonly PlacedAction[] = []
  let inside: Intrabars | undefined
  let official: OfficialColumns | undefined
  const context: StudyContext = {
    get bars() {
      return style === 'renko' ? shown.bars : store.bars
    },
    get periods() {
      const { columns } = periods
      columns.official = official
      return columns
    },
    get intrabars() {
      // Bricks are no stretches of time.
      return style === 'renko' ? undefined : inside
    },
    timeframe,
    sessionClass: instrument.sessionClass,
    tickSize: instrument.tickSize,
    hasVolume: instrument.hasVolume,
  }

  function remake(): void {
    shown.full()
    periods.follow(shown.bars, 0)
    actions = placeActions()
  }

  function placeActions(): readonly PlacedAction[] {
    return corporateActionsOf(instrument.series).flatMap((action) => {
      const day = dayOf(action.exDate)
      // Its first bar, or that of the next day with bars.
      const index = firstIndex(shown.bars.length, (at) => periods.dayAt(at) >= day)
      // Before the first bar it is not known where it belongs, behind the last one it has not happened.
      return index === 0 || index >= shown.bars.length ? [] : [{ action, index }]
    })
  }

  return {
    store,
    get shown() {
      return shown
    },
    dayAt: (index) => periods.dayAt(index),
    get actions() {
      return actions
    },
    context,
    setIntrabars: (intrabars) => void (inside = intrabars),
    setOfficial: (next) => void (official = next),
    reset(rows, sessionClass) {
      store.reset(rows)
      periods = periodIds(sessionClass, timeframe)
      remake()
    },
    setStyle(next) {
      style = next
      shown = shownOf(store, { style, instrument, timeframe })
      remake()
    },
    merge(rows) {
      const change = store.merge(rows)
      if (change === 'none') return 'none'
      if (change === 'all') {
        remake()
        return 'all'
      }
      const before = shown.bars.length
      const from = shown.advance()
      periods.follow(shown.bars, Math.min(from, before))
      // Fewer bricks than before cannot be told as added ones, nor can those of one candle that are more than the last two.
      return shown.bars.length < before || from < before - 2 ? 'all' : from
    },
    prepend(rows) {
      const before = shown.bars.length
      if (store.prepend(rows) === 0) return 0
      remake()
      return shown.bars.length - before
    },
  }
}

interface StyleNeeds {
  readonly style: CandleStyle
  readonly instrument: Instrument
  readonly timeframe: Timeframe
}

function shownOf(store: BarStore, { style, instrument, timeframe }: StyleNeeds): ShownBars {
  if (style === 'heikin-ashi') return heikinAshi(store)
  if (style !== 'renko') return plainBars(store)
  return renko(store, instrument.tickSize, stepMinutesOf(timeframe) === undefined ? yearOf : indianDayOf)
}

const indianOffsetMs = 19_800_000

/** No market of India trades at its midnight, so that a session is never parted. */
function indianDayOf(timeMs: number): number {
  return Math.floor((timeMs + indianOffsetMs) / dayMs)
}

function yearOf(timeMs: number): number {
  return new Date(timeMs).getUTCFullYear()
}
