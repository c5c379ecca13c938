// The demo market within the trading hours of an instrument: nothing outside its sessions, and candles on their grid.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { addToSum, beginSum } from '#shared/candles/candle-sum.ts'
import { bucketOf, isTradingMinute } from '#shared/candles/bucketer.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { dateOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Segment, Session, TimeWindow } from '#shared/trading-hours/session.ts'
import { stepMs, type CommonStep } from '../feed.ts'
import type { DemoMarket } from './demo-market.ts'

/** A demo market with its trading hours. */
export interface TimedMarket {
  /** Candles with timestamps in [fromMs, toMs) that are closed at `nowMs`, ascending. */
  history(step: CommonStep, span: { readonly fromMs: number; readonly toMs: number }, nowMs: number): Candle[]
  /** Whether the minute that starts at this instant has a candle. */
  isTrading(minuteStartMs: number): boolean
  minuteAfter(minuteStartMs: number, ticks: number): Candle
}

/** A candle that is generated only on demand. */
interface FoundCandle {
  readonly timeMs: number
  readonly window: TimeWindow
  readonly segments: readonly Segment[]
}

export function alwaysOpen(market: DemoMarket): TimedMarket {
  return {
    history: (step, { fromMs, toMs }, nowMs) => market.candles(step, fromMs, Math.min(toMs, nowMs - (nowMs % stepMs[step]))),
    isTrading: () => true,
    minuteAfter: (minuteStartMs, ticks) => market.minuteAfter(minuteStartMs, ticks),
  }
}

export function inSessions(market: DemoMarket, sessionClass: SessionClass): TimedMarket {
  const calendar = calendarOf(sessionClass)

  function* sessionsBetween(fromMs: number, toMs: number): Generator<Session> {
    // A session may open four days before its date, and a day is stamped with its date.
    for (let day = Math.floor(fromMs / dayMs) - 1; day * dayMs < toMs + 5 * dayMs; day += 1) {
      const session = calendar.sessionOn(dateOf(day))
      if (session !== null) yield session
    }
  }

  /** The candle of the trading within a window; whole hours need no minutes. */
  function candleOf({ timeMs, window, segments }: FoundCandle): Candle | undefined {
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

  const candlesIn: Readonly<Record<CommonStep, (session: Session) => FoundCandle[]>> = {
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
      return [...sessionsBetween(fromMs, toMs)]
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
