// A hand-written loop over typed arrays per study, with the least work for the same columns: no NaN, no warm-up, no incremental state.
import { type StudyId } from '#shared/indicators/lib/study-ids.ts'
import { type StudyContext } from '#shared/indicators/lib/study.ts'

/** As many columns as the widest study has. */
export type Outputs = readonly [Float64Array, Float64Array, Float64Array, Float64Array]

type Loop = (context: StudyContext, outputs: Outputs) => void

export const limits: Record<StudyId, Loop> = {
  sma: ({ bars: { close, length } }, [out]) => {
    let sum = 0
    for (let index = 20; index < length; index += 1) {
      sum += (close[index] as number) - (close[index - 20] as number)
      out[index] = sum / 20
    }
  },
  ema: ({ bars: { close, length } }, [out]) => {
    let average = 0
    for (let index = 0; index < length; index += 1) out[index] = average = average * (19 / 21) + (2 / 21) * (close[index] as number)
  },
  rsi: ({ bars: { close, length } }, [out]) => {
    let [gains, losses] = [0, 0]
    for (let index = 1; index < length; index += 1) {
      const change = (close[index] as number) - (close[index - 1] as number)
      gains = gains * (13 / 14) + (Math.abs(change) + change) / 28
      losses = losses * (13 / 14) + (Math.abs(change) - change) / 28
      out[index] = 100 * (gains / (gains + losses))
    }
  },
  macd: ({ bars: { close, length } }, [macd, signals, histogram]) => {
    let [fast, slow, signal] = [0, 0, 0]
    for (let index = 0; index < length; index += 1) {
      fast = fast * (11 / 13) + (2 / 13) * (close[index] as number)
      slow = slow * (25 / 27) + (2 / 27) * (close[index] as number)
      macd[index] = fast - slow
      signals[index] = signal = signal * 0.8 + 0.2 * (fast - slow)
      histogram[index] = fast - slow - signal
    }
  },
  bollinger: ({ bars: { close, length } }, [middle, upper, lower]) => {
    let [sum, squares] = [0, 0]
    for (let index = 20; index < length; index += 1) {
      const come = close[index] as number
      const gone = close[index - 20] as number
      sum += come - gone
      squares += come * come - gone * gone
      const mean = sum / 20
      const reach = 2 * Math.sqrt(Math.abs(squares / 20 - mean * mean))
      middle[index] = mean
      upper[index] = mean + reach
      lower[index] = mean - reach
    }
  },
  vwap: ({ bars: { high, low, close, volume, length } }, [out]) => {
    let [money, units] = [0, 0]
    for (let index = 0; index < length; index += 1) {
      money += (((high[index] as number) + (low[index] as number) + (close[index] as number)) / 3) * (volume[index] as number)
      units += volume[index] as number
      out[index] = money / units
    }
  },
  atr: ({ bars: { high, low, close, length } }, [out]) => {
    let average = 0
    for (let index = 1; index < length; index += 1) {
      const before = close[index - 1] as number
      average = average * (13 / 14) + (Math.max(high[index] as number, before) - Math.min(low[index] as number, before)) / 14
      out[index] = average
    }
  },
  supertrend: ({ bars: { high, low, close, length } }, [line, direction]) => {
    let [average, upper, lower, isUp] = [0, 0, 0, false]
    for (let index = 1; index < length; index += 1) {
      const top = high[index] as number
      const bottom = low[index] as number
      const before = close[index - 1] as number
      average = average * 0.9 + (Math.max(top, before) - Math.min(bottom, before)) / 10
      upper = before > upper ? (top + bottom) / 2 + 3 * average : Math.min(upper, (top + bottom) / 2 + 3 * average)
      lower = before < lower ? (top + bottom) / 2 - 3 * average : Math.max(lower, (top + bottom) / 2 - 3 * average)
      isUp = isUp ? (close[index] as number) >= lower : (close[index] as number) > upper
      line[index] = isUp ? lower : upper
      direction[index] = isUp ? 1 : -1
    }
  },
  zigZag: ({ bars: { high, low, length } }, [out]) => {
    let [corner, at, side] = [high[0] as number, 0, 1]
    for (let index = 1; index < length; index += 1) {
      const price = (side > 0 ? high : low)[index] as number
      if ((price - corner) * side > 0) corner = price
      else if (Math.abs(((side > 0 ? low : high)[index] as number) - corner) >= 0.05 * corner) {
        out[(at = (at + 1) % 500)] = corner
        corner = (side > 0 ? low : high)[index] as number
        side = -side
      }
    }
  },
  pivotpoint: ({ bars: { high, low, close, length }, periods }, [out]) => {
    const ids = periods?.dayId ?? out
    let [top, bottom] = [0, 0]
    for (let index = 1; index < length; index += 1) {
      if (ids[index] !== ids[index - 1]) {
        for (let level = 0; level < 11; level += 1) out[level] = top + bottom + (close[index - 1] as number) * level
        top = 0
        bottom = Number.POSITIVE_INFINITY
      }
      top = Math.max(top, high[index] as number)
      bottom = Math.min(bottom, low[index] as number)
    }
  },
  volumeDelta: ({ bars, intrabars }, [close, high, low, source]) => {
    const parts = intrabars ?? { bars, firstIndex: new Int32Array(0) }
    const { volume, takerBuyVolume } = parts.bars
    for (let index = 0; index < bars.length - 1; index += 1) {
      let delta = 0
      let highest = 0
      let lowest = 0
      const end = parts.firstIndex[index + 1] as number
      for (let at = parts.firstIndex[index] as number; at < end; at += 1) {
        delta += 2 * (takerBuyVolume[at] as number) - (volume[at] as number)
        // Branch-free: Math.max and Math.min would be unpredictable branches.
        const isHighest = Number(delta > highest)
        const isLowest = Number(delta < lowest)
        highest = delta * isHighest + highest * (1 - isHighest)
        lowest = delta * isLowest + lowest * (1 - isLowest)
      }
      close[index] = delta
      high[index] = highest
      low[index] = lowest
      source[index] = 0
    }
  },
  blockPressure: ({ bars: { high, low, close, volume, length } }, [pressure, blocks, flows]) => {
    let [flow, units] = [0, 0]
    for (let index = 0; index < length; index += 1) {
      const top = high[index] as number
      const bottom = low[index] as number
      const own = ((2 * (close[index] as number) - top - bottom) / (top - bottom + 1e-9)) * (volume[index] as number)
      flows[index] = own
      flow += own
      units += volume[index] as number
      if (index >= 20) {
        flow -= flows[index - 20] as number
        units -= volume[index - 20] as number
      }
      pressure[index] = (100 * flow) / units
      blocks[index] = Math.floor(5.5 + (5 * flow) / units)
    }
  },
  renkoSRvolume: ({ bars: { close, volume, length } }, [out]) => {
    let [edge, swing, at] = [close[0] as number, 0, 0]
    for (let index = 0; index < length; index += 1) {
      swing += volume[index] as number
      if (Math.abs((close[index] as number) - edge) < 25) continue
      edge = close[index] as number
      out[(at = (at + 1) % 6)] = swing
      swing = 0
    }
  },
  // Compared with a fixed reference: the percentile of a window is the most expensive part of this study.
  pricePercentageShadedCandel: ({ bars: { open, close, length } }, [direction, alpha, percent]) => {
    for (let index = 0; index < length; index += 1) {
      const from = open[index] as number
      const change = (100 * ((close[index] as number) - from)) / from
      percent[index] = change
      direction[index] = Number(change > 0) - Number(change < 0)
      alpha[index] = 0.15 + 0.85 * Math.min(1, Math.abs(change) * 10)
    }
  },
}
