// How the values of a study read, on its scale and in the legend: as prices, as volumes or as plain numbers.
import type { Study } from '#shared/market/indicators/study.ts'
import { volumeText, type PriceText } from '../price-text.ts'

export interface StudyFormat {
  readonly text: (value: number) => string
  /** The scale has no finer marks. */
  readonly minMove: number
}

export function studyFormat(study: Study, text: PriceText, tickSize: number): StudyFormat {
  // A study with a scale of its own counts neither money nor units.
  if (study.range !== undefined) return { text: textWithin(study.range), minMove: 0.01 }
  if (study.plots.some((plot) => plot.kind === 'candles')) return { text: volumeText, minMove: 0.01 }
  return { text: text.price, minMove: tickSize }
}

/** The scale reaches a little further than the range; what cannot be has no mark there. */
function textWithin([min, max]: readonly [number, number]): (value: number) => string {
  return (value) => (value < min - 0.005 || value > max + 0.005 ? '' : plainText(value))
}

function plainText(value: number): string {
  return value.toFixed(2).replace('-', '\u2212')
}
