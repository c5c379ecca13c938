// What the demo market needs for each series: a price level, a daily range and a daily volume.
import { factsOf, seriesKeys } from '#shared/instruments/instrument-facts.ts'

export interface DemoInstrument {
  readonly series: string
  readonly priceDecimals: number
  readonly tickSize: number
  /** The price around which it moves, in ticks. */
  readonly levelTicks: number
  /** What moves it: for most series its own noise, for a cross the noises of its two currencies. */
  readonly noises: readonly DemoNoise[]
  /** Typical daily volume in units of `volumeStep`; 0 if the instrument has no volume. */
  readonly dayVolumeSteps: number
  /** A power of two, so that volumes add up exactly in any order. */
  readonly volumeStep: number
}

/** Standard deviation of the daily change that a series' noise causes, as a fraction of the price; negative where it moves against it. */
export interface DemoNoise {
  readonly series: string
  readonly dailyVolatility: number
}

type Row = readonly [level: number, dailyVolatilityPercent: number, dayVolume?: number, volumeStep?: number]

const rows: Readonly<Record<string, Row>> = {
  'eur-usd': [1.16, 0.4],
  'gbp-usd': [1.33, 0.45],
  'usd-cad': [1.39, 0.35],
  'usd-jpy': [152, 0.55],
  'aud-usd': [0.655, 0.6],
  'btc-usdt': [90_000, 2.5, 25_000, 1 / 64],
  'eth-usdt': [3200, 3.4, 420_000, 1 / 16],
  'doge-usdt': [0.16, 4.5, 900_000_000, 1],
  'cake-usdt': [2.4, 4.5, 6_000_000, 1 / 4],
  'xau-usd': [4050, 1.1],
  nifty: [24_000, 0.8],
  banknifty: [54_500, 0.95],
  finnifty: [26_000, 0.95],
  'tata-motors': [395, 1.9, 14_000_000, 1],
  reliance: [1440, 1.3, 11_000_000, 1],
  'tata-steel': [172, 1.7, 28_000_000, 1],
  havells: [1480, 1.4, 900_000, 1],
  'bajaj-finance': [1020, 1.6, 8_000_000, 1],
  es: [6700, 1, 1_500_000, 1],
}

interface Relation {
  /** The price is the product of these, each to its power. */
  readonly powers: Readonly<Record<string, 1 | -1>>
  /** Times this, where units or delivery differ. */
  readonly ratio?: number
  /** Daily change that the others do not explain. */
  readonly ownPercent?: number
  readonly dayVolume?: number
  readonly volumeStep?: number
}

/** Series whose prices follow from those of others. */
const relations: Readonly<Record<string, Relation>> = {
  'eur-gbp': { powers: { 'eur-usd': 1, 'gbp-usd': -1 } },
  'cad-jpy': { powers: { 'usd-jpy': 1, 'usd-cad': -1 } },
  'gbp-jpy': { powers: { 'gbp-usd': 1, 'usd-jpy': 1 } },
  'eur-jpy': { powers: { 'eur-usd': 1, 'usd-jpy': 1 } },
  'btc-usd': { powers: { 'btc-usdt': 1 }, ownPercent: 0.02, dayVolume: 12_000, volumeStep: 1 / 64 },
  sensex: { powers: { nifty: 1 }, ratio: 3.3125, ownPercent: 0.1 },
  'gold-future': { powers: { 'xau-usd': 1 }, ratio: 1.005, ownPercent: 0.05, dayVolume: 210_000 },
}

interface Market {
  readonly level: number
  readonly noises: readonly DemoNoise[]
  readonly dayVolume: number
  readonly volumeStep: number
}

function marketOf(series: string): Market {
  const relation = relations[series]
  const row = rows[series]
  if (relation === undefined) {
    if (row === undefined) throw new Error(`No demo level for ${series}`)
    const [level, percent, dayVolume = 0, volumeStep = 1] = row
    return { level, noises: [{ series, dailyVolatility: percent / 100 }], dayVolume, volumeStep }
  }
  const { powers, ratio = 1, ownPercent = 0, dayVolume = 0, volumeStep = 1 } = relation
  const others = Object.entries(powers).map(([name, power]) => ({ power, ...marketOf(name) }))
  const own = ownPercent === 0 ? [] : [{ series, dailyVolatility: ownPercent / 100 }]
  return {
    level: others.reduce((level, other) => level * other.level ** other.power, ratio),
    noises: [
      ...others.flatMap(({ power, noises }) => noises.map((noise) => ({ ...noise, dailyVolatility: power * noise.dailyVolatility }))),
      ...own,
    ],
    dayVolume,
    volumeStep,
  }
}

function describe(series: string): DemoInstrument {
  const { level, noises, dayVolume, volumeStep } = marketOf(series)
  const { priceDecimals, tickSize, hasVolume } = factsOf(series)
  if (hasVolume !== dayVolume > 0) throw new Error(`The demo volume of ${series} contradicts its facts`)
  return {
    series,
    priceDecimals,
    tickSize,
    levelTicks: Math.round(level / tickSize),
    noises,
    dayVolumeSteps: Math.round(dayVolume / volumeStep),
    volumeStep,
  }
}

const instruments: ReadonlyMap<string, DemoInstrument> = new Map(seriesKeys.map((series) => [series, describe(series)]))

/** The demo parameters of a series, or undefined for an unknown series. */
export function demoInstrument(series: string): DemoInstrument | undefined {
  return instruments.get(series)
}
