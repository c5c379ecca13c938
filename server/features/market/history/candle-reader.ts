// Where the history reads candles of one series and source: stored ones, or those that the demo makes up when asked.
import type { PriceAdjuster } from '#shared/market/adjustment.ts'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { WorkTurn } from '#server/http/work-turns.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { commonStepOf, type CommonStep, type Feed, type HistoryStep, type SourceName } from '../feed.ts'
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

/** Time whose candles are generated in one turn of the event loop: about 3 ms of work on an idle machine. */
const sliceMs: Readonly<Record<CommonStep, number>> = { '1m': 12 * hourMs, '1h': 10 * dayMs, '1D': 60 * dayMs }

/** Reads generated candles in slices, each in a turn of the event loop, so that other requests are answered in between. */
export function demoReader({ demo, nowMs, turn }: { demo: Feed; nowMs: number; turn: WorkTurn }, series: string): CandleReader {
  const spansOf = (step: HistoryStep) => {
    const reachMs = demo.reachMs?.[step] ?? demoReachMs
    return [{ fromMs: Math.floor((nowMs - reachMs) / dayMs) * dayMs, toMs: nowMs }]
  }
  return {
    async range(step, fromMs, toMs) {
      const candles: Candle[] = []
      const widthMs = sliceMs[commonStepOf(step)]
      for (let atMs = fromMs; atMs < toMs; atMs += widthMs) {
        await turn()
        const slice = await demo.history({ symbol: series, step, fromMs: atMs, toMs: Math.min(toMs, atMs + widthMs) })
        for (const candle of slice) candles.push(candle)
      }
      return candles
    },
    coverage: () => Promise.resolve(Object.fromEntries(demo.steps.map((step) => [step, spansOf(step)]))),
    freshen: () => Promise.resolve(),
  }
}
