// Slow reference implementation of candle buckets, with its own tables.
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SessionClass } from '../session-class.ts'

export interface ReferenceBucket {
  readonly timeMs: number
  readonly startMs: number
  readonly endMs: number
  readonly sessionDate: string
}

interface Hours {
  readonly zone: string
  /** Length from open to the end of continuous trading. */
  readonly minutes: number
  readonly opens: string
  readonly daysBefore: number
}

const hours: Readonly<Record<SessionClass, Hours>> = {
  'nse-equity': { zone: 'Asia/Kolkata', opens: '09:15', minutes: 375, daysBefore: 0 },
  'nse-index': { zone: 'Asia/Kolkata', opens: '09:15', minutes: 375, daysBefore: 0 },
  'bse-index': { zone: 'Asia/Kolkata', opens: '09:15', minutes: 375, daysBefore: 0 },
  fx: { zone: 'America/New_York', opens: '17:00', minutes: 1440, daysBefore: 1 },
  metals: { zone: 'America/New_York', opens: '18:00', minutes: 1380, daysBefore: 1 },
  crypto: { zone: 'UTC', opens: '00:00', minutes: 1440, daysBefore: 0 },
  cme: { zone: 'America/Chicago', opens: '17:00', minutes: 1380, daysBefore: 1 },
  comex: { zone: 'America/Chicago', opens: '17:00', minutes: 1380, daysBefore: 1 },
}

/** Early closes of 2026 as wall clock times, by month and day. */
const earlyCloses: Readonly<Partial<Record<SessionClass, ReadonlyMap<string, string>>>> = {
  cme: closes('01-19 12:00 02-16 12:00 04-03 08:15 05-25 12:00 06-19 12:00 07-03 12:00 09-07 12:00 11-26 12:00 11-27 12:15 12-24 12:15'),
  comex: closes('01-19 13:30 02-16 13:30 05-25 13:30 06-19 12:00 07-03 12:00 09-07 13:30 11-26 13:30 11-27 13:45 12-24 12:45'),
  metals: closes('01-19 14:30 02-16 14:30 05-25 14:30 06-19 13:00 07-03 13:00 09-07 14:30 11-26 14:30 11-27 14:45 12-24 13:45'),
}

function closes(pairs: string): ReadonlyMap<string, string> {
  return new Map([...pairs.matchAll(/(\S+) (\S+)/g)].map(([, day = '', time = '']) => [day, time]))
}

const indianHolidays = '01-15 01-26 03-03 03-26 03-31 04-03 04-14 05-01 05-28 06-26 09-14 10-02 10-20 11-10 11-24 12-25'.split(' ')

/** Wall clock time of the candle that contains the auction of 15:15 to 15:35, by timeframe. */
const auctionStamps: Readonly<Partial<Record<Timeframe, string>>> = {
  '1': '15:30',
  '3': '15:30',
  '5': '15:30',
  '15': '15:30',
  '30': '15:15',
  '60': '15:15',
  '120': '15:15',
  '240': '13:15',
}

/** Globex holidays and the dates to which their trading counts (after the colon), by month and day. */
const tradeDates = new Map(
  '01-19:01-20 02-16:02-17 05-25:05-26 06-19:06-22 07-03:07-06 09-07:09-08 11-26:11-27'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
const globex: readonly SessionClass[] = ['cme', 'comex']

interface Trading {
  readonly date: Temporal.PlainDate
  /** Date of the session that it belongs to. */
  readonly tradeDate: Temporal.PlainDate
  readonly open: Temporal.ZonedDateTime
  readonly continuousEnd: Temporal.ZonedDateTime
  readonly close: Temporal.ZonedDateTime
}

/** The trading that ends on a date of 2026, or null. */
export function referenceSession(sessionClass: SessionClass, date: Temporal.PlainDate): Trading | null {
  const { zone, opens, minutes, daysBefore } = hours[sessionClass]
  const isIndian = zone === 'Asia/Kolkata'
  const monthDay = date.toString().slice(5)
  const at = (time: string, day = date) => day.toZonedDateTime({ timeZone: zone, plainTime: time })
  if (isIndian && monthDay === '11-08') {
    return { date, tradeDate: date, open: at('18:00'), continuousEnd: at('19:00'), close: at('19:00') }
  }
  const isBudgetDay = isIndian && monthDay === '02-01'
  if (sessionClass !== 'crypto' && date.dayOfWeek > 5 && !isBudgetDay) return null
  if (isIndian && indianHolidays.includes(monthDay)) return null
  if (!isIndian && sessionClass !== 'crypto' && ['01-01', '12-25'].includes(monthDay)) return null
  if (['metals', 'comex'].includes(sessionClass) && monthDay === '04-03') return null
  const open = at(opens, date.subtract({ days: daysBefore }))
  if (sessionClass === 'nse-equity' && monthDay >= '08-03') {
    return { date, tradeDate: date, open, continuousEnd: at('15:15'), close: at('15:35') }
  }
  const early = earlyCloses[sessionClass]?.get(monthDay)
  const later = globex.includes(sessionClass) ? tradeDates.get(monthDay) : undefined
  const isIndexWithClosingValues = isIndian && monthDay >= '08-03'
  const close = early === undefined ? open.add({ minutes: isIndexWithClosingValues ? minutes + 5 : minutes }) : at(early)
  return { date, tradeDate: later === undefined ? date : Temporal.PlainDate.from(`2026-${later}`), open, continuousEnd: close, close }
}

/** The candle at an instant of 2026, found by stepping from the open. */
export function referenceBucket(sessionClass: SessionClass, timeframe: Timeframe, ms: number): ReferenceBucket | null {
  const now = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(hours[sessionClass].zone)
  const trading = [0, 1]
    .map((days) => referenceSession(sessionClass, now.toPlainDate().add({ days })))
    .find((row) => row !== null && row.open.epochMilliseconds <= ms && ms < row.close.epochMilliseconds)
  if (!trading) return null
  const { tradeDate } = trading
  if (timeframe === '1D') return period(tradingFor(sessionClass, tradeDate), tradeDate)
  if (timeframe === '1W') return weekOf(sessionClass, tradeDate)
  if (timeframe === '1M') return monthOf(sessionClass, tradeDate)
  return intraday(trading, timeframe, ms)
}

function intraday(trading: Trading, timeframe: Timeframe, ms: number): ReferenceBucket {
  const hasAuction = trading.close.epochMilliseconds > trading.continuousEnd.epochMilliseconds
  const auctionStamp = trading.open.withPlainTime(auctionStamps[timeframe] ?? '00:00').epochMilliseconds
  const sessionDate = trading.tradeDate.toString()
  const closeMs = trading.close.epochMilliseconds
  const auctionMs = trading.continuousEnd.epochMilliseconds
  let start = trading.open
  while (start.add({ minutes: Number(timeframe) }).epochMilliseconds <= ms) start = start.add({ minutes: Number(timeframe) })
  const stamp = start.epochMilliseconds
  if (hasAuction && (ms >= auctionMs || stamp === auctionStamp)) {
    return { timeMs: auctionStamp, startMs: Math.min(auctionStamp, auctionMs), endMs: closeMs, sessionDate }
  }
  const end = start.add({ minutes: Number(timeframe) }).epochMilliseconds
  return { timeMs: stamp, startMs: stamp, endMs: Math.min(end, auctionMs), sessionDate }
}

function weekOf(sessionClass: SessionClass, date: Temporal.PlainDate): ReferenceBucket {
  const monday = date.subtract({ days: date.dayOfWeek - 1 })
  return period(sessionsOf(sessionClass, monday, 7), monday)
}

function monthOf(sessionClass: SessionClass, date: Temporal.PlainDate): ReferenceBucket {
  const first = date.with({ day: 1 })
  return period(sessionsOf(sessionClass, first, date.daysInMonth), first)
}

function sessionsOf(sessionClass: SessionClass, from: Temporal.PlainDate, days: number): Trading[] {
  return Array.from({ length: days }, (_, index) => tradingFor(sessionClass, from.add({ days: index }))).flat()
}

/** All trading for a date: its own hours, and those of a holiday up to four days before. */
function tradingFor(sessionClass: SessionClass, date: Temporal.PlainDate): Trading[] {
  return [3, 2, 1, 0]
    .map((days) => referenceSession(sessionClass, date.subtract({ days })))
    .filter((row) => row !== null)
    .filter(({ tradeDate }) => tradeDate.equals(date))
}

function period(sessions: readonly Trading[], stamp: Temporal.PlainDate): ReferenceBucket {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (!first || !last) throw new Error('A period without a session')
  return {
    timeMs: stamp.toZonedDateTime('UTC').epochMilliseconds,
    startMs: first.open.epochMilliseconds,
    endMs: last.close.epochMilliseconds,
    sessionDate: first.tradeDate.toString(),
  }
}
