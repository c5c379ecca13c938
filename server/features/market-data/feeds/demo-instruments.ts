// What the demo market needs for each series: a price level, a daily range and a daily volume.
import { factsOf, seriesKeys } from '#shared/instruments/instrument-facts.ts'

export interface DemoInstrument {
  readonly series: string
  readonly priceDecimals: number
  readonly tickSize: number
  /** The price around which it moves, in ticks. */
  readonly levelTicks: number
  /** Standard deviation of the daily change, as a fraction of the price. */
  readonly dailyVolatility: number
  /** Typical daily volume in units of `volumeStep`; 0 if the instrument has no volume. */
  readonly dayVolumeSteps: number
  /** A power of two, so that volumes add up exactly in any order. */
  readonly volumeStep: number
}

type Row = readonly [level: number, dailyVolatilityPercent: number, dayVolume?: number, volumeStep?: number]

const rows: Readonly<Record<string, Row>> = {
  'eur-usd': [1.16, 0.4],
  'gbp-usd': [1.33, 0.45],
  'eur-gbp': [0.872, 0.3],
  'usd-cad': [1.39, 0.35],
  'usd-jpy': [152, 0.55],
  'cad-jpy': [109.3, 0.6],
  'aud-usd': [0.655, 0.6],
  'gbp-jpy': [202.2, 0.65],
  'eur-jpy': [176.3, 0.6],
  'btc-usd': [90_000, 2.5, 12_000, 1 / 64],
  'btc-usdt': [90_000, 2.5, 25_000, 1 / 64],
  'eth-usdt': [3200, 3.4, 420_000, 1 / 16],
  'doge-usdt': [0.16, 4.5, 900_000_000, 1],
  'cake-usdt': [2.4, 4.5, 6_000_000, 1 / 4],
  'xau-usd': [4050, 1.1],
  sensex: [79_500, 0.8],
  nifty: [24_000, 0.8],
  banknifty: [54_500, 0.95],
  finnifty: [26_000, 0.95],
  'tata-motors': [395, 1.9, 14_000_000, 1],
  reliance: [1440, 1.3, 11_000_000, 1],
  'tata-steel': [172, 1.7, 28_000_000, 1],
  havells: [1480, 1.4, 900_000, 1],
  'bajaj-finance': [1020, 1.6, 8_000_000, 1],
  es: [6700, 1, 1_500_000, 1],
  'gold-future': [4070, 1.1, 210_000, 1],
}

function describe(series: string): DemoInstrument {
  const row = rows[series]
  if (row === undefined) throw new Error(`No demo level for ${series}`)
  const [level, percent, dayVolume = 0, volumeStep = 1] = row
  const { priceDecimals, tickSize, hasVolume } = factsOf(series)
  if (hasVolume !== dayVolume > 0) throw new Error(`The demo volume of ${series} contradicts its facts`)
  return {
    series,
    priceDecimals,
    tickSize,
    levelTicks: Math.round(level / tickSize),
    dailyVolatility: percent / 100,
    dayVolumeSteps: Math.round(dayVolume / volumeStep),
    volumeStep,
  }
}

const instruments: ReadonlyMap<string, DemoInstrument> = new Map(seriesKeys.map((series) => [series, describe(series)]))

/** The demo parameters of a series, or undefined for an unknown series. */
export function demoInstrument(series: string): DemoInstrument | undefined {
  return instruments.get(series)
}
