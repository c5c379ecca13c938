// Formats the values of a study for scale and legend: as prices, volumes or plain numbers.
import type { Study } from '#shared/indicators/lib/study.ts'
import { volumeText, type PriceText } from '#web/features/market-data/price-text.ts'

export interface StudyFormat {
  readonly text: (value: number) => string
  /** Smallest step of the scale. */
  readonly minMove: number
}

export function studyFormat(study: Study, text: PriceText, tickSize: number): StudyFormat {
  // A study with its own range is neither price nor volume.
  if (study.range !== undefined) return { text: textWithin(study.range), minMove: 0.01 }
  if (study.plots.some((plot) => plot.kind === 'candles')) return { text: volumeText, minMove: 0.01 }
  return { text: text.price, minMove: tickSize }
}

/** The scale extends a little beyond the range; impossible values get no label. */
function textWithin([min, max]: readonly [number, number]): (value: number) => string {
  return (value) => (value < min - 0.005 || value > max + 0.005 ? '' : plainText(value))
}

function plainText(value: number): string {
  return value.toFixed(2).replace('-', '\u2212')
}
