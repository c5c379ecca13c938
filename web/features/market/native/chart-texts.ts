// The texts of one chart's bars and axes, on the wall clock of its zone.
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { axisTimes, type AxisTimes } from './axis-times.ts'
import { barTexts, type BarTexts } from './chart-frame.ts'
import type { AxisTexts } from './lwc-chart.ts'
import { markText, momentText, priceText, roundedMark, type PriceText } from './price-text.ts'
import type { BarRange } from './view-window.ts'
import { zoneOffset } from './zone-offset.ts'

export interface ChartTexts {
  readonly axis: AxisTimes
  readonly price: PriceText
  /** True where a bar is a date and has no time of day. */
  readonly isDate: boolean
  readonly axisTexts: AxisTexts
  /** Of a bar, or of several as if they were one. */
  bar(range: BarRange): BarTexts
}

export function chartTexts(
  { instrument, timeframe, zone }: { readonly instrument: Instrument; readonly timeframe: Timeframe; readonly zone: string },
  bars: () => BarColumns,
): ChartTexts {
  const stepMinutes = stepMinutesOf(timeframe)
  const [isDate, stepMs] = [stepMinutes === undefined, (stepMinutes ?? 0) * 60_000]
  const offsetOf = isDate ? null : zoneOffset(zone)
  const axis = axisTimes(offsetOf)
  const price = priceText(instrument)
  const wallOf = (timeMs: number) => timeMs + (offsetOf?.(timeMs) ?? 0)
  /** The axis runs on times of its own; what is read off it are those of the bars. */
  const wallAt = (axisSeconds: number) => {
    const index = axis.indexOf(axisSeconds)
    return index >= 0 && index < bars().length ? wallOf(bars().timeMs[index] as number) : axisSeconds * 1000
  }
  // Many ticks and a whole walk of the crosshair tell of one moment, and a zone's offset is dear.
  let told = { timeMs: Number.NaN, text: '' }
  const momentOf = (timeMs: number) => {
    if (timeMs !== told.timeMs) told = { timeMs, text: momentText(wallOf(timeMs), isDate) }
    return told.text
  }
  return {
    axis,
    price,
    isDate,
    axisTexts: {
      moment: (seconds) => momentText(wallAt(seconds), isDate),
      mark: (seconds, weight) => markText(roundedMark(wallAt(seconds), axis.step === 1 ? 0 : axis.step * stepMs), weight),
    },
    bar: (range) => barTexts({ bars: bars(), text: price, momentOf }, range),
  }
}
