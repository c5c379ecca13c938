// One-minute candles from a seed, in the sessions of the NSE, so that every chart of a run has the same ones.
import { minuteMs } from '#shared/base/durations.ts'
import type { CandleRow } from '#shared/market/live.ts'
import { seededRandom } from '#shared/base/seeded-random.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'

const lastDate = '2026-11-20'
const tick = 0.05
const roundTick = (price: number) => Math.round(price / tick) * tick

/** Ascending; the last one is the last minute of 2026-11-20. */
export function seededCandles(count: number): CandleRow[] {
  const stamps = newestStamps(count)
  const random = seededRandom(7)
  let price = 24_000
  return Array.from(stamps, (timeMs): CandleRow => {
    const open = price
    const close = roundTick(open * (1 + (random() - 0.5) * 0.0012))
    const high = roundTick(Math.max(open, close) + random() * 6)
    const low = roundTick(Math.min(open, close) - random() * 6)
    // Pulled back to where it began, so that a million bars stay on a scale.
    price = roundTick(close + (24_000 - close) * 0.0005)
    return [timeMs, open, high, low, close, null, null]
  })
}

function newestStamps(count: number): Float64Array {
  const stamps = new Float64Array(count)
  const calendar = calendarOf('nse-index')
  let left = count
  let session = calendar.sessionOn(lastDate)
  while (left > 0 && session !== null) {
    for (let at = session.closeMs - minuteMs; at >= session.openMs && left > 0; at -= minuteMs) stamps[(left -= 1)] = at
    session = calendar.previousSession(session.date)
  }
  return stamps
}
