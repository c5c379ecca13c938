// Formulas of the six pivot types for one period.
export const pivotTypes = ['traditional', 'fibonacci', 'woodie', 'classic', 'dm', 'camarilla'] as const

export type PivotType = (typeof pivotTypes)[number]

/** Order of the levels, and their names. */
export const pivotNames = ['P', 'R1', 'S1', 'R2', 'S2', 'R3', 'S3', 'R4', 'S4', 'R5', 'S5'] as const

/** The finished period, and the open of the period that the levels are for. */
export interface PivotPeriod {
  open: number
  high: number
  low: number
  close: number
  currentOpen: number
}

/** Writes the prices of the levels in the order of `pivotNames` into `out`; NaN from the first level that the type lacks. */
export function writePivotLevels(type: PivotType, period: PivotPeriod, out: Float64Array): void {
  out.fill(Number.NaN)
  const { high, low, close, currentOpen } = period
  const middle = type === 'woodie' ? (high + low + 2 * currentOpen) / 4 : (high + low + close) / 3
  out[0] = middle
  switch (type) {
    case 'traditional':
      return writeTraditional(middle, period, out)
    case 'fibonacci':
      return writeSteps(middle, high - low, { shares: fibonacciShares, out })
    case 'woodie':
      return writeWoodie(middle, period, out)
    case 'classic':
      writeSteps(middle, high - low, { shares: classicShares, out })
      out[1] = 2 * middle - low
      out[2] = 2 * middle - high
      return
    case 'dm':
      return writeDm(period, out)
    case 'camarilla':
      writeSteps(close, high - low, { shares: camarillaShares, out })
      out[9] = (high / low) * close
      out[10] = 2 * close - out[9]
      return
  }
}

const fibonacciShares = [0.382, 0.618, 1]
// The first of these is replaced by 2P - L and 2P - H.
const classicShares = [0, 1, 2, 3]
const camarillaShares = [1.1 / 12, 1.1 / 6, 1.1 / 4, 1.1 / 2]

/** Resistances and supports at multiples of the range from a base price. */
function writeSteps(base: number, range: number, to: { readonly shares: readonly number[]; readonly out: Float64Array }): void {
  for (const [index, share] of to.shares.entries()) {
    to.out[2 * index + 1] = base + share * range
    to.out[2 * index + 2] = base - share * range
  }
}

function writeTraditional(middle: number, { high, low }: PivotPeriod, out: Float64Array): void {
  const range = high - low
  out[1] = 2 * middle - low
  out[2] = 2 * middle - high
  out[3] = middle + range
  out[4] = middle - range
  for (let level = 3; level <= 5; level += 1) {
    const times = level - 1
    out[2 * level - 1] = times * middle + high - times * low
    out[2 * level] = times * middle - (times * high - low)
  }
}

function writeWoodie(middle: number, { high, low }: PivotPeriod, out: Float64Array): void {
  const range = high - low
  const third = high + 2 * (middle - low)
  const thirdSupport = low - 2 * (high - middle)
  out[1] = 2 * middle - low
  out[2] = 2 * middle - high
  out[3] = middle + range
  out[4] = middle - range
  out[5] = third
  out[6] = thirdSupport
  out[7] = third + range
  out[8] = thirdSupport - range
}

function writeDm({ open, high, low, close }: PivotPeriod, out: Float64Array): void {
  let sum = high + low + 2 * close
  if (close > open) sum = 2 * high + low + close
  else if (close < open) sum = 2 * low + high + close
  out[0] = sum / 4
  out[1] = sum / 2 - low
  out[2] = sum / 2 - high
}
