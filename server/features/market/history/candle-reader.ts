// Where the history reads candles of one series and source: stored ones, or those that the demo makes up when asked.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { Feed, HistoryStep, SourceName } from '../feed.ts'
import type { MemoryCandles } from '../store/memory-candles.ts'

export interface CandleReader {
  /** Stamps in [fromMs, toMs), ascending, closed candles only. */
  range(step: HistoryStep, fromMs: number, toMs: number): Promise<readonly Candle[]>
  /** First and last stamp of a step; undefined where there are none, or where nobody knows without reading. */
  bounds(step: HistoryStep): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined>
  /** The newest stamp before an instant; undefined where there is none. */
  lastBefore(step: HistoryStep, ms: number): Promise<number | undefined>
  /** Looks whether other processes have stored something new. */
  freshen(step: HistoryStep): Promise<void>
}

export function storeReader(store: MemoryCandles, series: string, source: SourceName): CandleReader {
  const keyOf = (step: HistoryStep) => ({ series, source, step })
  return {
    range: (step, fromMs, toMs) => store.range(keyOf(step), { fromMs, toMs }),
    bounds: (step) => store.bounds(keyOf(step)),
    async lastBefore(step, ms) {
      const [last] = await store.range(keyOf(step), { fromMs: -Infinity, toMs: ms, limit: 1 })
      return last?.timeMs
    },
    freshen: (step) => store.freshen(keyOf(step)),
  }
}

/** The demo never rests, so its newest candle before an instant is at most this old. */
const demoGapMs = 10 * 60_000

export function demoReader(demo: Feed, series: string, nowMs: number): CandleReader {
  const range = (step: HistoryStep, fromMs: number, toMs: number): Promise<readonly Candle[]> =>
    fromMs < toMs ? demo.history({ symbol: series, step, fromMs, toMs }) : Promise.resolve([])
  return {
    range,
    bounds: () => Promise.resolve(undefined),
    async lastBefore(_step, ms) {
      const untilMs = Math.min(ms, nowMs)
      return (await range('1m', untilMs - demoGapMs, untilMs)).at(-1)?.timeMs
    },
    freshen: () => Promise.resolve(),
  }
}
