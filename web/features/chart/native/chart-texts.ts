// Texts of one chart's bars and axes, on the wall clock of its zone.
import type { Instrument } from '#shared/instruments/instruments.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import type { ChartModel } from './chart-model.ts'
import { axisTimes, type AxisTimes } from './axis-times.ts'
import { barTexts, type BarTexts } from './legend-snapshot.ts'
import type { AxisTexts } from './create-chart.ts'
import { markText, momentText, priceText, roundedMark, type PriceText } from '#web/features/market-data/price-text.ts'
import type { BarRange } from './view-window.ts'
import { zoneOffset } from './zone-offset.ts'

export interface ChartTexts {
  readonly axis: AxisTimes
  readonly price: PriceText
  /** True where a bar is a date without a time of day. */
  readonly isDate: boolean
  readonly axisTexts: AxisTexts
  /** Texts of a bar, or of several merged into one. */
  bar(range: BarRange): BarTexts
}

export function chartTexts(
  { instrument, timeframe, zone }: { readonly instrument: Instrument; readonly timeframe: Timeframe; readonly zone: string },
  model: Pick<ChartModel, 'shown'>,
): ChartTexts {
  const stepMinutes = stepMinutesOf(timeframe)
  const [isDate, stepMs] = [stepMinutes === undefined, (stepMinutes ?? 0) * 60_000]
  const offsetOf = isDate ? null : zoneOffset(zone)
  const axis = axisTimes(offsetOf)
  const price = priceText(instrument)
  const wallOf = (timeMs: number) => timeMs + (offsetOf?.(timeMs) ?? 0)
  /** The axis has its own times; map them back to those of the bars. */
  const wallAt = (axisSeconds: number) => {
    const index = axis.indexOf(axisSeconds)
    const { bars } = model.shown
    return index >= 0 && index < bars.length ? wallOf(bars.timeMs[index] as number) : axisSeconds * 1000
  }
  // Cache: many ticks and crosshair moves ask for the same time, and time-zone offset lookups are expensive.
  let notified = { timeMs: Number.NaN, text: '' }
  const momentOf = (timeMs: number) => {
    if (timeMs !== notified.timeMs) notified = { timeMs, text: momentText(wallOf(timeMs), isDate) }
    return notified.text
  }
  return {
    axis,
    price,
    isDate,
    axisTexts: {
      moment: (seconds) => momentText(wallAt(seconds), isDate),
      mark: (seconds, weight) => markText(roundedMark(wallAt(seconds), axis.window.step === 1 ? 0 : axis.window.step * stepMs), weight),
    },
    bar: (range) => barTexts({ bars: model.shown.bars, text: price, momentOf }, range),
  }
}
