// Snapshot of a chart's legend: the bar under the crosshair or the last one, and its study values.
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { volumeOf } from './bar-store.ts'
import type { ChartModel } from './chart-model.ts'
import { percentText, volumeText, type PriceText } from '#web/features/market-data/price-text.ts'
import type { StudyReading } from './studies/legend-values.ts'
import { groupOf, type BarRange, type BarWindow } from './view-window.ts'

export interface BarTexts {
  readonly index: number
  readonly moment: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  /** Against the previous close, in price and percent. */
  readonly change: string
  readonly isUp: boolean
  /** Undefined if unknown. */
  readonly volume: string | undefined
}

export interface LegendSnapshot {
  /** Undefined while there is no bar. */
  readonly bar: BarTexts | undefined
  /** Whether the bar is the forming one. */
  readonly isLast: boolean
  readonly studies: readonly StudyReading[]
  /** Corporate actions on this day, and candles that are missing before it. */
  readonly events: readonly string[]
  /** Bars per group. */
  readonly joined: number
  /** Day of the first bar, when the source has no older ones and it is visible. */
  readonly startsOn: string | undefined
  /** Whether the newest bar is in view. */
  readonly isNewestSeen: boolean
}

export const noFrame: LegendSnapshot = {
  bar: undefined,
  isLast: true,
  studies: [],
  events: [],
  joined: 1,
  startsOn: undefined,
  isNewestSeen: true,
}

export interface FrameDeps {
  readonly model: Pick<ChartModel, 'actions' | 'missing'> & { readonly shown: Pick<ChartModel['shown'], 'bars'> }
  readonly window: BarWindow
  /** Index of the bar under the crosshair. */
  readonly picked: number | undefined
  readonly texts: { readonly bar: (group: BarRange) => BarTexts }
  /** Whether the first bar is the first of its source, and visible. */
  readonly isStartSeen: boolean
  readonly isNewestSeen: boolean
  readonly layers: { readonly readings: (index: number) => readonly StudyReading[] }
}

/** Grouped bars are shown as one; without a crosshair the newest bar is shown ungrouped. */
export function frameAt({ model, window, picked, texts, layers, isStartSeen, isNewestSeen }: FrameDeps): LegendSnapshot {
  const { length } = model.shown.bars
  const index = Math.min(picked ?? length, length - 1)
  if (index < 0) return noFrame
  const group = picked === undefined ? { from: index, to: length } : groupOf(window, index, length)
  return {
    bar: texts.bar(group),
    isLast: group.from === length - 1,
    studies: layers.readings(group.to - 1),
    events: eventsOn(model, group),
    joined: window.step,
    isNewestSeen,
    startsOn: isStartSeen ? texts.bar({ from: 0, to: 1 }).moment.split(dayEnd)[0] : undefined,
  }
}

export interface BarTextOptions {
  readonly bars: BarColumns
  readonly text: PriceText
  readonly momentOf: (timeMs: number) => string
}

/** Texts of a bar, or of several merged into one. */
export function barTexts({ bars, text, momentOf }: BarTextOptions, { from, to }: BarRange): BarTexts {
  const index = to - 1
  const open = bars.open[from] as number
  const close = bars.close[index] as number
  const before = from > 0 ? (bars.close[from - 1] as number) : open
  const change = close - before
  const percent = before === 0 ? 0 : (100 * change) / before
  const volume = volumeOf(bars, from, to)
  const moment = momentOf(bars.timeMs[from] as number)
  return {
    index,
    moment: to - from === 1 ? moment : spanText(moment, momentOf(bars.timeMs[index] as number), to - from),
    open: text.price(open),
    high: text.price(extreme(Math.max, bars.high, { from, to })),
    low: text.price(extreme(Math.min, bars.low, { from, to })),
    close: text.price(close),
    change: `${text.change(change)} (${percentText(percent)})`,
    isUp: change >= 0,
    volume: Number.isNaN(volume) ? undefined : volumeText(volume),
  }
}

/** Separates day and time of a timestamp text. */
const dayEnd = '  '

/** Time range text; the day is shown once when it is the same. */
function spanText(first: string, last: string, count: number): string {
  const end = first.indexOf(dayEnd)
  const isSameDay = end >= 0 && last.startsWith(first.slice(0, end + dayEnd.length))
  return chartText.span(first, isSameDay ? last.slice(end + dayEnd.length) : last, count)
}

function extreme(pick: (one: number, other: number) => number, column: Float64Array, { from, to }: BarRange): number {
  let found = column[from] as number
  for (let index = from + 1; index < to; index += 1) found = pick(found, column[index] as number)
  return found
}

function eventsOn({ actions, missing }: Pick<ChartModel, 'actions' | 'missing'>, { from, to }: BarRange): readonly string[] {
  const onDay = actions.filter(({ index }) => index >= from && index < to).map(({ action }) => `${action.exDate}: ${action.note}`)
  return missing.some((index) => index >= from && index < to) ? [...onDay, chartText.missing] : onDay
}
