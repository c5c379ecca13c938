// Volume Delta (Chart 2): volume bought minus volume sold within each bar, from the best data available.
import { type Timeframe } from '#shared/candles/timeframe.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { createIntrabarTally, walkTaker } from '../lib/intrabar-tally.ts'
import { type Provenance } from '../lib/provenance.ts'
import { plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

/** Values of the column `provenance`: 0, 1, 2; NaN without a value. */
const sources = ['aggressor', 'intrabar', 'bar-shape'] as const satisfies readonly Provenance[]

/** Intrabar timeframe of a chart; undefined at 1m, for which nothing shorter is stored. */
export function intrabarTimeframe(timeframe: Timeframe): Timeframe | undefined {
  if (timeframe === '1') return undefined
  if (timeframe === '1W' || timeframe === '1M') return '60'
  return timeframe === '1D' ? '5' : '1'
}

/**
 * Candle of the running delta: opens at 0, high = max(0, d), low = min(0, d), closes at the last d. Each bar uses the
 * first of these that is available:
 * - aggressor: d += 2V - v over its intrabars, V of v being taker buys; else 2V - v of the bar itself;
 * - intrabar: d += sign * v over its intrabars (see intrabar-tally.ts);
 * - bar-shape: v * (2 * (C - L) / (H - L) - 1), 0 where H = L.
 * No value if the instrument has no volume, or the bar's is unknown.
 */
export const volumeDelta = defineStudy({
  id: 'volumeDelta',
  provenances: [...sources, 'no-volume'],
  inputs: {},
  pane: 'own',
  plots: [
    { kind: 'candles', high: 'high', low: 'low', close: 'close', label: plotText.delta, provenance: 'provenance', provenances: sources },
    { kind: 'guide', value: 0, role: 'guide' },
  ],
  create: (_inputs, context) => createState(context),
})

function createState(context: StudyContext) {
  const { columns, grow } = createOutputColumns(['high', 'low', 'close', 'provenance'])
  const { bars } = context
  const tally = createIntrabarTally(context)
  let latest = -1

  const run = (from: number, to: number, isClosed: boolean) => {
    if (!context.hasVolume) {
      for (const column of Object.values(columns)) column.fill(Number.NaN, from, to)
      return
    }
    let index = from
    while (index < to) {
      const known = isClosed ? walkTaker(context, columns, { from: index, to }) : index
      if (known > index) latest = 0
      if (known < to) writeBar(known, isClosed)
      index = known + 1
    }
  }
  const writeBar = (index: number, isClosed: boolean) => {
    if (writePath(index, tally.byTaker(index, isClosed), 0)) return
    const barVolume = bars.volume[index] as number
    if (writeEnd(index, 2 * (bars.takerBuyVolume[index] as number) - barVolume, 0)) return
    if (writePath(index, tally.bySign(index, isClosed), 1)) return
    if (writeEnd(index, shapeDelta(index, barVolume), 2)) return
    columns.provenance[index] = Number.NaN
    columns.close[index] = Number.NaN
    columns.high[index] = Number.NaN
    columns.low[index] = Number.NaN
  }
  /** Candle from the intrabars; false if there are none or their volume is unknown. */
  const writePath = (index: number, path: Float64Array | undefined, source: number) => {
    if (path === undefined || Number.isNaN(path[0])) return false
    columns.close[index] = path[0] as number
    columns.high[index] = path[1] as number
    columns.low[index] = path[2] as number
    columns.provenance[index] = source
    latest = source
    return true
  }
  /** A candle of which only the close is known. */
  const writeEnd = (index: number, delta: number, source: number) => {
    if (Number.isNaN(delta)) return false
    columns.close[index] = delta
    columns.high[index] = delta > 0 ? delta : 0
    columns.low[index] = delta < 0 ? delta : 0
    latest = source
    columns.provenance[index] = source
    return true
  }
  const shapeDelta = (index: number, barVolume: number) => {
    const low = bars.low[index] as number
    const range = (bars.high[index] as number) - low
    return barVolume * (range === 0 ? 0 : (2 * ((bars.close[index] as number) - low)) / range - 1)
  }
  const provenance = (): Provenance => sources[latest] ?? 'no-volume'
  const reset = () => {
    tally.reset()
    latest = -1
  }
  return incrementalState(context, { columns, grow, reset, run, provenance })
}
