// Where the history reads candles of one series and source: stored ones, or those that the demo makes up when asked.
import type { PriceAdjuster } from '#shared/market/adjustment.ts'
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { Feed, HistoryStep, SourceName } from '../feed.ts'
import type { Coverage } from '../store/candle-store.ts'
import type { MemoryCandles } from '../store/memory-candles.ts'

export interface CandleReader {
  /** Stamps in [fromMs, toMs), ascending, closed candles only. */
  range(step: HistoryStep, fromMs: number, toMs: number): Promise<readonly Candle[]>
  /** Spans of stamps in which nothing is missing. */
  coverage(): Promise<Coverage>
  /** Looks whether other processes have stored something new. */
  freshen(step: HistoryStep): Promise<void>
}

export function storeReader(store: MemoryCandles, series: string, source: SourceName): CandleReader {
  const keyOf = (step: HistoryStep) => ({ series, source, step })
  return {
    range: (step, fromMs, toMs) => store.range(keyOf(step), { fromMs, toMs }),
    coverage: () => store.coverage({ series, source }),
    freshen: (step) => store.freshen(keyOf(step)),
  }
}

/** The candles of a reader in adjusted prices: parts of larger candles are adjusted before they are joined. */
export function adjustedReader(reader: CandleReader, adjuster: PriceAdjuster | undefined): CandleReader {
  if (adjuster === undefined) return reader
  return { ...reader, range: async (step, fromMs, toMs) => (await reader.range(step, fromMs, toMs)).map(adjuster.adjust) }
}

/** Where a demo does not say how far it goes back. */
const demoReachMs = 30 * dayMs

export function demoReader(demo: Feed, series: string, nowMs: number): CandleReader {
  const spansOf = (step: HistoryStep) => {
    const reachMs = demo.reachMs?.[step] ?? demoReachMs
    return [{ fromMs: Math.floor((nowMs - reachMs) / dayMs) * dayMs, toMs: nowMs }]
  }
  return {
    range: (step, fromMs, toMs) => (fromMs < toMs ? demo.history({ symbol: series, step, fromMs, toMs }) : Promise.resolve([])),
    coverage: () => Promise.resolve(Object.fromEntries(demo.steps.map((step) => [step, spansOf(step)]))),
    freshen: () => Promise.resolve(),
  }
}
