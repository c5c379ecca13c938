// The libraries that have one of our studies: trading-signals always, three more if installed in a folder, see studies.ts.
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ATR, BollingerBands, CMF, EMA, MACD, RSI, SMA, SuperTrend, VWAP } from 'trading-signals'
import { type BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { type StudyId } from '#shared/indicators/lib/study-ids.ts'

type Candle = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>
type Values = readonly number[]

/** The same bars in the libraries' input formats. */
interface PeerMarket extends Readonly<Record<'high' | 'low' | 'close' | 'volume', Values>> {
  readonly candles: readonly Candle[]
}

export interface Peer {
  readonly library: string
  readonly run: () => unknown
}

type Runs = Partial<Record<StudyId, (market: PeerMarket) => unknown>>

/** One object for all bars, fed sequentially, as in its examples. */
const tradingSignals: Runs = {
  sma: feedClose(() => new SMA(20)),
  ema: feedClose(() => new EMA(20)),
  rsi: feedClose(() => new RSI(14)),
  macd: feedClose(() => new MACD(new EMA(12), new EMA(26), new EMA(9))),
  bollinger: feedClose(() => new BollingerBands(20, 2)),
  atr: feedCandle(() => new ATR(14)),
  vwap: feedCandle(() => new VWAP()),
  supertrend: feedCandle(() => new SuperTrend({ interval: 10, multiplier: 3 })),
  blockPressure: feedCandle(() => new CMF(20)),
}

function feedClose(create: () => { update(value: number, replace: boolean): unknown }) {
  return ({ candles }: PeerMarket) => {
    const indicator = create()
    for (const candle of candles) indicator.update(candle.close, false)
  }
}

function feedCandle(create: () => { update(value: Candle, replace: boolean): unknown }) {
  return ({ candles }: PeerMarket) => {
    const indicator = create()
    for (const candle of candles) indicator.update(candle, false)
  }
}

/** Functions over arrays; each library has its own names and argument order. */
type ArrayFunctions = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

function ixjb94({ sma, ema, rsi, macd, bbands, atr, vwap, cmf }: ArrayFunctions): Runs {
  return {
    sma: ({ close }) => sma?.(close, 20),
    ema: ({ close }) => ema?.(close, 20),
    rsi: ({ close }) => rsi?.(close, 14),
    macd: ({ close }) => macd?.(close, 12, 26, 9),
    bollinger: ({ close }) => bbands?.(close, 20, 2),
    atr: ({ high, low, close }) => atr?.(high, low, close, 14),
    vwap: ({ high, low, close, volume }) => vwap?.(high, low, close, volume, 20),
    blockPressure: ({ high, low, close, volume }) => cmf?.(high, low, close, volume, 20),
  }
}

function indicatorts({ sma, ema, rsi, macd, bb, atr, vwap, cmf }: ArrayFunctions): Runs {
  return {
    sma: ({ close }) => sma?.(close, { period: 20 }),
    ema: ({ close }) => ema?.(close, { period: 20 }),
    rsi: ({ close }) => rsi?.(close, { period: 14 }),
    macd: ({ close }) => macd?.(close, { fast: 12, slow: 26, signal: 9 }),
    bollinger: ({ close }) => bb?.(close, { period: 20 }),
    atr: ({ high, low, close }) => atr?.(high, low, close, { period: 14 }),
    vwap: ({ close, volume }) => vwap?.(close, volume, { period: 20 }),
    blockPressure: ({ high, low, close, volume }) => cmf?.(high, low, close, volume, { period: 20 }),
  }
}

function technicalindicators({ sma, ema, rsi, macd, bollingerbands, atr, vwap }: ArrayFunctions): Runs {
  const macdRules = { fastPeriod: 12, slowPeriod: 26, signalPeriod: 9, SimpleMAOscillator: false, SimpleMASignal: false }
  return {
    sma: ({ close }) => sma?.({ period: 20, values: close }),
    ema: ({ close }) => ema?.({ period: 20, values: close }),
    rsi: ({ close }) => rsi?.({ period: 14, values: close }),
    macd: ({ close }) => macd?.({ ...macdRules, values: close }),
    bollinger: ({ close }) => bollingerbands?.({ period: 20, stdDev: 2, values: close }),
    atr: ({ high, low, close }) => atr?.({ high, low, close, period: 14 }),
    vwap: ({ high, low, close, volume }) => vwap?.({ high, low, close, volume }),
  }
}

/** The peers of each study. Without `folder`, or uninstalled libraries, there are fewer. */
export function peersOf({ open, high, low, close, volume, length }: BarColumns, folder?: string): Partial<Record<StudyId, Peer[]>> {
  const [highs, lows, closes, volumes] = [high, low, close, volume].map((column) => [...column.subarray(0, length)])
  const market: PeerMarket = {
    high: highs ?? [],
    low: lows ?? [],
    close: closes ?? [],
    volume: volumes ?? [],
    candles: Array.from({ length }, (_, index): Candle => {
      const at = (column: Float64Array) => column[index] as number
      return { open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) }
    }),
  }
  const known: [library: string, runs: Runs][] = [['trading-signals', tradingSignals]]
  for (const [library, toRuns] of [
    ['@ixjb94/indicators', ixjb94],
    ['indicatorts', indicatorts],
    ['technicalindicators', technicalindicators],
  ] as const) {
    const functions = folder === undefined ? undefined : load(library, folder)
    if (functions !== undefined) known.push([library, toRuns(functions)])
  }
  const peers: Partial<Record<StudyId, Peer[]>> = {}
  for (const [library, runs] of known) {
    for (const [id, run] of Object.entries(runs) as [StudyId, (market: PeerMarket) => unknown][]) {
      peers[id] = [...(peers[id] ?? []), { library, run: () => run(market) }]
    }
  }
  return peers
}

function load(library: string, folder: string): ArrayFunctions | undefined {
  try {
    return createRequire(join(resolve(folder), 'package.json'))(library) as ArrayFunctions
  } catch {
    return undefined
  }
}
