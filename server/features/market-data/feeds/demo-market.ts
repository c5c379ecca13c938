// The demo market of one instrument: any candle at any time, deterministic for a seed, without storage.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { bucketOf, isTradingMinute } from '#shared/candles/bucketer.ts'
import { addToSum, beginSum } from '#shared/candles/candle-sum.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Segment, Session, TimeWindow } from '#shared/trading-hours/session.ts'
import { sessionsBetween } from '#shared/trading-hours/trading-gaps.ts'
import { commonStepOf, type CommonStep, type HistoryStep, stepMs } from '../feed.ts'
import type { DemoInstrument, DemoNoise } from './demo-instrument.ts'
import { hashText, mix, normal, wander, splitSpan, type DemoSpan, type SplitRule } from './demo-span.ts'

/** Parts of a minute that the demo emits one after another, two per second. */
export const ticksPerMinute = 120

/** Busy at both ends and calm in the middle, 1 on average. */
function uShape(parts: number, depth: number): number[] {
  return Array.from({ length: parts }, (_, i) => 1 + depth * Math.cos((2 * Math.PI * (i + 0.5)) / parts))
}

const hoursOfDay: SplitRule = { parts: 24, shape: uShape(24, 0.55), isBounded: false, volumeChance: 0.5 }
const minutesOfHour: SplitRule = { parts: 60, shape: uShape(60, 0), isBounded: true }
const ticksOfMinute: SplitRule = { parts: ticksPerMinute, shape: uShape(ticksPerMinute, 0), isBounded: true }

/** Volumes of an hour and its neighbours. */
interface HourVolumes {
  readonly before: number
  readonly hour: number
  readonly after: number
}

/**
 * Minute volumes of an hour: they blend from the previous hour to the next without a step and add up to the hour's volume.
 * At the edges it is the geometric mean of two hours.
 */
function volumeRamp({ before, hour, after }: HourVolumes): number[] {
  if (hour === 0) return []
  const [start, end] = [Math.sqrt(before * hour), Math.sqrt(hour * after)]
  const middle = Math.max(hour / 4, 2 * hour - (start + end) / 2)
  return Array.from({ length: 60 }, (_, minute) => {
    const part = (minute + 0.5) / 30
    return part < 1 ? start + (middle - start) * part : middle + (end - middle) * (part - 1)
  })
}

export interface DemoMarket {
  /** Whole candles with timestamps in [fromMs, toMs), ascending. */
  candles(step: HistoryStep, fromMs: number, toMs: number): Candle[]
  /** The minute that starts at `minuteMs` after the given number of its ticks (1 to 120). */
  minuteAfter(minuteStartMs: number, ticks: number): Candle
}

/** Joins consecutive spans. */
function join(parts: readonly DemoSpan[]): DemoSpan {
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) throw new Error('Nothing to join')
  const joined = { ...first, close: last.close, buys: 0, sells: 0 }
  for (const part of parts) {
    joined.high = Math.max(joined.high, part.high)
    joined.low = Math.min(joined.low, part.low)
    joined.buys += part.buys
    joined.sells += part.sells
  }
  return joined
}

/** The noises of an instrument, each with the seed of its series, which is the same in all instruments that follow it. */
interface SeededNoise extends DemoNoise {
  readonly seed: number
}

/** Hours of a day; days join because the price at midnight depends only on the day. */
function hoursOf(day: number, instrument: DemoInstrument, noises: readonly SeededNoise[]): DemoSpan[] {
  const driftAt = (midnight: number) => noises.reduce((sum, noise) => sum + noise.dailyVolatility * wander(noise.seed, midnight, 9), 0)
  const priceAt = (midnight: number) => Math.max(20, Math.round(instrument.levelTicks * Math.exp(driftAt(midnight))))
  const ofDay = (one: number) => mix(mix(one, 0x6000), day)
  const volatility = noises.length === 1 ? (noises[0]?.dailyVolatility ?? 0) : Math.hypot(...noises.map((noise) => noise.dailyVolatility))
  // Highs, lows and busy minutes are those of the strongest noise.
  const seed = ofDay(strongest(noises).seed)
  const open = priceAt(day)
  const volume = instrument.dayVolumeSteps * Math.exp(0.12 * normal(mix(seed, 1)))
  const span = {
    seed,
    blend:
      noises.length === 1 ? undefined : noises.map((noise) => ({ seed: ofDay(noise.seed), weight: noise.dailyVolatility / volatility })),
    open,
    high: open,
    low: open,
    close: priceAt(day + 1),
    buys: Math.round(volume * (0.5 + 0.02 * normal(mix(seed, 2)))),
    sells: Math.round(volume * 0.5),
    deviation: open * volatility,
  }
  return splitSpan(span, hoursOfDay)
}

function strongest(noises: readonly SeededNoise[]): SeededNoise {
  return noises.reduce((most, noise) => (Math.abs(noise.dailyVolatility) > Math.abs(most.dailyVolatility) ? noise : most))
}

/** Converts spans in ticks and volume steps to candles in the units of an instrument. */
function candleMaker(instrument: DemoInstrument): (timeMs: number, span: DemoSpan) => Candle {
  const scale = 10 ** instrument.priceDecimals
  const price = (ticks: number) => Math.round(ticks * instrument.tickSize * scale) / scale
  const hasVolume = instrument.dayVolumeSteps > 0
  return (timeMs, { open, high, low, close, buys, sells }) => ({
    timeMs,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: hasVolume ? (buys + sells) * instrument.volumeStep : null,
    takerBuyVolume: hasVolume ? buys * instrument.volumeStep : null,
  })
}

/** The market of one instrument for a seed; another seed is another market. */
export function demoMarket(instrument: DemoInstrument, seed: string): DemoMarket {
  const seedOf = (series: string) => mix(hashText(seed), hashText(series))
  const noises = instrument.noises.map((noise) => ({ ...noise, seed: seedOf(noise.series) }))
  const candleOf = candleMaker(instrument)
  const hasVolume = instrument.dayVolumeSteps > 0
  const days = cached((day) => hoursOf(day, instrument, noises))

  function* hoursBetween(fromMs: number, toMs: number): Generator<{ startMs: number; span: DemoSpan }> {
    for (let day = Math.floor(fromMs / dayMs); day * dayMs < toMs; day += 1) {
      for (const [hour, span] of days(day).entries()) yield { startMs: day * dayMs + hour * hourMs, span }
    }
  }

  /** The minutes of an hour, whose volume is continuous at its edges. */
  const minutesOf = cached((startMs) => {
    const span = hourAt(startMs)
    if (!hasVolume) return splitSpan(span, minutesOfHour)
    const volumeAt = (ms: number): number => {
      const hour = hourAt(ms)
      return hour.buys + hour.sells
    }
    const volumes = { before: volumeAt(startMs - hourMs), hour: span.buys + span.sells, after: volumeAt(startMs + hourMs) }
    return splitSpan(span, { ...minutesOfHour, volumeShape: volumeRamp(volumes) })
  })

  function hourAt(ms: number): DemoSpan {
    const hour = days(Math.floor(ms / dayMs))[Math.floor((ms % dayMs) / hourMs)]
    if (hour === undefined) throw new Error('Not the start of an hour')
    return hour
  }

  const makers: Readonly<Record<CommonStep, (fromMs: number, toMs: number) => Generator<Candle>>> = {
    *'1m'(fromMs, toMs) {
      for (const { startMs } of hoursBetween(fromMs, toMs)) {
        const isOverlapping = startMs < toMs && startMs + hourMs > fromMs
        for (const [minute, part] of isOverlapping ? minutesOf(startMs).entries() : []) {
          const timeMs = startMs + minute * minuteMs
          if (timeMs >= fromMs && timeMs < toMs) yield candleOf(timeMs, part)
        }
      }
    },
    *'1h'(fromMs, toMs) {
      for (const { startMs, span } of hoursBetween(fromMs, toMs)) if (startMs >= fromMs && startMs < toMs) yield candleOf(startMs, span)
    },
    *'1D'(fromMs, toMs) {
      for (let day = Math.ceil(fromMs / dayMs); day * dayMs < toMs; day += 1) yield candleOf(day * dayMs, join(days(day)))
    },
  }

  return {
    candles: (step, fromMs, toMs) => [...makers[commonStepOf(step)](fromMs, toMs)],
    minuteAfter(minuteStartMs, ticks) {
      const hourStartMs = minuteStartMs - (minuteStartMs % hourMs)
      const minute = minutesOf(hourStartMs)[(minuteStartMs % hourMs) / minuteMs]
      if (minute === undefined) throw new Error('Not the start of a minute')
      return candleOf(minuteStartMs, join(splitSpan(minute, ticksOfMinute).slice(0, ticks)))
    },
  }
}

/** Cached spans: those of a running request, and the current one. */
const cachedSpansMax = 4

function cached(make: (key: number) => DemoSpan[]): (key: number) => DemoSpan[] {
  const known = new Map<number, DemoSpan[]>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    if (known.size >= cachedSpansMax) known.delete(known.keys().next().value ?? key)
    known.set(key, made)
    return made
  }
}

/** A demo market with its trading hours. */
export interface TimedMarket {
  /** Candles with timestamps in [fromMs, toMs) that are closed at `nowMs`, ascending. */
  history(step: CommonStep, span: { readonly fromMs: number; readonly toMs: number }, nowMs: number): Candle[]
  /** Whether the minute that starts at this instant has a candle. */
  isTrading(minuteStartMs: number): boolean
  minuteAfter(minuteStartMs: number, ticks: number): Candle
}

/** A candle that is generated only on demand. */
interface LazyCandle {
  readonly timeMs: number
  readonly window: TimeWindow
  readonly segments: readonly Segment[]
}

export function alwaysOpenMarket(market: DemoMarket): TimedMarket {
  return {
    history: (step, { fromMs, toMs }, nowMs) => market.candles(step, fromMs, Math.min(toMs, nowMs - (nowMs % stepMs[step]))),
    isTrading: () => true,
    minuteAfter: (minuteStartMs, ticks) => market.minuteAfter(minuteStartMs, ticks),
  }
}

export function sessionMarket(market: DemoMarket, sessionClass: SessionClass): TimedMarket {
  /** The candle of the trading within a window; whole hours need no minutes. */
  function candleOf({ timeMs, window, segments }: LazyCandle): Candle | undefined {
    const parts = segments.flatMap((segment) => {
      const [startMs, endMs] =
        segment.kind === 'closing-auction' ? [segment.printMs, segment.printMs + minuteMs] : [segment.startMs, segment.endMs]
      return partsOf(Math.max(startMs, window.startMs), Math.min(endMs, window.endMs))
    })
    const candles = parts.flatMap(({ step, fromMs, toMs }) => market.candles(step, fromMs, toMs))
    const [first] = candles
    if (first === undefined) return undefined
    const sum = beginSum(timeMs, first)
    for (const candle of candles.slice(1)) addToSum(sum, candle)
    return sum
  }

  const candlesIn: Readonly<Record<CommonStep, (session: Session) => LazyCandle[]>> = {
    '1m': () => [],
    '1h': ({ segments, closeMs }) => {
      const found = []
      for (let atMs = segments[0]?.startMs ?? closeMs; atMs < closeMs;) {
        const bucket = bucketOf(sessionClass, '60', atMs)
        // During a break, continue with the next segment.
        const nextMs = bucket?.endMs ?? segments.find(({ startMs }) => startMs > atMs)?.startMs ?? closeMs
        if (bucket !== null) found.push({ timeMs: bucket.timeMs, window: bucket, segments })
        atMs = nextMs
      }
      return found
    },
    '1D': ({ date, openMs, closeMs, segments }) => [{ timeMs: Date.parse(date), window: { startMs: openMs, endMs: closeMs }, segments }],
  }

  return {
    history(step, { fromMs, toMs }, nowMs) {
      if (step === '1m') {
        return market
          .candles('1m', fromMs, Math.min(toMs, nowMs - (nowMs % minuteMs)))
          .filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
      }
      // A session may open four days before its date, and a day is stamped with its date.
      return [...sessionsBetween(sessionClass, { fromMs: fromMs - 5 * dayMs, toMs: toMs + 5 * dayMs })]
        .flatMap((session) => candlesIn[step](session))
        .filter(({ timeMs, window }) => timeMs >= fromMs && timeMs < toMs && window.endMs <= nowMs)
        .flatMap((found) => candleOf(found) ?? [])
    },
    isTrading: (minuteStartMs) => isTradingMinute(sessionClass, minuteStartMs),
    minuteAfter: (minuteStartMs, ticks) => market.minuteAfter(minuteStartMs, ticks),
  }
}

/** Splits a span into whole hours, and minutes where it starts or ends within one. */
function partsOf(fromMs: number, toMs: number): { readonly step: '1m' | '1h'; readonly fromMs: number; readonly toMs: number }[] {
  if (fromMs >= toMs) return []
  const [firstHourMs, lastHourMs] = [Math.ceil(fromMs / hourMs) * hourMs, Math.floor(toMs / hourMs) * hourMs]
  if (firstHourMs >= lastHourMs) return [{ step: '1m', fromMs, toMs }]
  return [
    { step: '1m' as const, fromMs, toMs: firstHourMs },
    { step: '1h' as const, fromMs: firstHourMs, toMs: lastHourMs },
    { step: '1m' as const, fromMs: lastHourMs, toMs },
  ].filter((part) => part.fromMs < part.toMs)
}
