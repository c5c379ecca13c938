// Realistic random bars from a seed: the same seed gives the same bars.
import { seededRandom } from '#shared/base/seeded-random.ts'
import { createBarColumns, type BarColumns } from '../lib/bar-columns.ts'
import { type Intrabars, type PeriodColumns, type StudyContext } from '../lib/study.ts'

const tick = 0.05
const barsPerDay = 75
export const intrabarsPerBar = 3

export interface RandomBars {
  readonly count: number
  readonly seed: number
  /** Interval of bars without prices, and of bars without volume; 0 = none. */
  readonly gapEvery?: number
  readonly hasTaker?: boolean
}

/** Bars on a tick grid, with intrabars and the ids of their days, weeks and months. */
export function randomContext(options: RandomBars): StudyContext & { periods: PeriodColumns; intrabars: Intrabars } {
  const random = seededRandom(options.seed)
  const bars = createBarColumns(options.count)
  const intrabars = { bars: createBarColumns(options.count * intrabarsPerBar), firstIndex: new Int32Array(options.count) }
  let price = 24_000
  for (let index = 0; index < options.count; index += 1) {
    intrabars.firstIndex[index] = intrabars.bars.length
    for (let part = 0; part < intrabarsPerBar; part += 1) {
      price = pushRandomBar(intrabars.bars, price, { random, hasTaker: options.hasTaker ?? false })
    }
    mergeBars(intrabars.bars, { from: index * intrabarsPerBar, to: intrabars.bars.length }, { bars, index })
    if (options.gapEvery !== undefined && options.gapEvery > 0) makeGap(bars, index, options.gapEvery)
  }
  bars.length = options.count
  return { bars, intrabars, periods: periodsOf(options.count), timeframe: '5', sessionClass: 'nse-index', tickSize: tick, hasVolume: true }
}

function pushRandomBar(bars: BarColumns, from: number, how: { readonly random: () => number; readonly hasTaker: boolean }): number {
  const { random } = how
  const grid = (value: number) => Math.round(value / tick) * tick
  const index = bars.length
  // Occasionally a bar is flat or jumps.
  const kind = random()
  const open = kind < 0.02 ? grid(from * (1 + 0.02 * (random() - 0.5))) : from
  const close = kind > 0.9 ? open : grid(open * (1 + 0.002 * (random() - 0.5)))
  const wick = kind > 0.97 ? 0 : random() * 10
  bars.timeMs[index] = index * 60_000
  bars.open[index] = open
  bars.close[index] = close
  bars.high[index] = grid(Math.max(open, close) + wick)
  bars.low[index] = grid(Math.min(open, close) - wick * random())
  const volume = Math.floor(random() * 10_000)
  bars.volume[index] = volume
  if (how.hasTaker) bars.takerBuyVolume[index] = Math.floor(volume * random())
  bars.length = index + 1
  return close
}

/** Merges several bars into one. */
export function mergeBars(
  parts: BarColumns,
  range: { readonly from: number; readonly to: number },
  { bars, index }: { readonly bars: BarColumns; readonly index: number },
): void {
  const cut = (column: Float64Array) => column.subarray(range.from, range.to)
  const sum = (column: Float64Array) => cut(column).reduce((total, value) => total + value, 0)
  bars.timeMs[index] = parts.timeMs[range.from] as number
  bars.open[index] = parts.open[range.from] as number
  bars.close[index] = parts.close[range.to - 1] as number
  bars.high[index] = Math.max(...cut(parts.high))
  bars.low[index] = Math.min(...cut(parts.low))
  bars.volume[index] = sum(parts.volume)
  bars.takerBuyVolume[index] = sum(parts.takerBuyVolume)
}

/** Removes prices or volume of some bars. */
function makeGap(bars: BarColumns, index: number, every: number): void {
  if (index % every === every - 1) {
    for (const column of [bars.open, bars.high, bars.low, bars.close]) column[index] = Number.NaN
  }
  if (index % every === Math.floor(every / 2)) bars.volume[index] = Number.NaN
}

function periodsOf(count: number): PeriodColumns {
  const ids = (per: number) => Float64Array.from({ length: count }, (_, index) => Math.floor(index / (barsPerDay * per)))
  return { dayId: ids(1), weekId: ids(5), monthId: ids(21) }
}
