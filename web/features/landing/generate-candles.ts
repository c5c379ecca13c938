// Deterministic sample market: the same candles for the same seed.
import { seededRandom } from '#shared/base/seeded-random.ts'

export interface DemoCandle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Between 0 and 1. */
  readonly volume: number
}

export interface GenerateOptions {
  readonly seed: number
  readonly count: number
  /** Close of the last candle. */
  readonly end: number
  /** Typical move of one candle relative to the price, for example 0.001. */
  readonly move: number
}

/** Candles that chain (each opens at the last close) and end at `end`. */
export function generateCandles({ seed, count, end, move }: GenerateOptions): readonly DemoCandle[] {
  const random = seededRandom(seed)
  const candles: DemoCandle[] = []
  let price = 1
  let drift = 0
  let volatility = 1
  for (let index = 0; index < count; index++) {
    // Trends last a while and then reverse; low and high volatility alternate, as in real markets.
    if (index % 14 === 0) drift = (random() - 0.46) * 0.9
    volatility = 0.86 * volatility + 0.14 * (0.4 + 1.5 * random())
    const step = (drift + roughlyNormal(random) * 1.35) * move * volatility
    const open = price
    const close = open * (1 + step)
    const reach = move * volatility * 0.75
    const high = Math.max(open, close) * (1 + reach * random())
    const low = Math.min(open, close) * (1 - reach * random())
    candles.push({ open, high, low, close, volume: Math.min(1, 0.15 + 0.3 * random() + (0.22 * Math.abs(step)) / move) })
    price = close
  }
  const scale = end / price
  return candles.map(({ open, high, low, close, volume }) => ({
    open: open * scale,
    high: high * scale,
    low: low * scale,
    close: close * scale,
    volume,
  }))
}

/** Exponential moving average of the closes. */
export function exponentialAverage(candles: readonly DemoCandle[], period: number): readonly number[] {
  const weight = 2 / (period + 1)
  let average = candles[0]?.close ?? 0
  return candles.map(({ close }) => (average += weight * (close - average)))
}

/** Roughly normal, from -1.5 to 1.5: the sum of three uniform draws. */
function roughlyNormal(random: () => number): number {
  return random() + random() + random() - 1.5
}
