// Imports holiday lists, with an entry of the audit log, and applies them in every process: at its start, and within seconds of an import.
import { writeAudit, type AuditEntry } from '#server/features/audit/service.ts'
import type { Db } from '#server/db/database.ts'
import { indiaZone } from '#shared/base/india-time.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { CalendarChange, CalendarPreview } from '#shared/market-admin/calendar-import-contract.ts'
import { message } from '#shared/messages/message.ts'
import { listFrom, mergeLists, type CalendarList } from '#shared/trading-hours/calendar-list.ts'
import { dateOf, dayOf } from '#shared/trading-hours/day.ts'
import { applyCalendarLists, calendarSourceOf } from '#shared/trading-hours/exchange-calendar.ts'
import { readCalendarLists as readText } from '#shared/trading-hours/read-calendar-lists.ts'
import { lockCalendarLists, readCalendarLists, writeCalendarList } from './repository.ts'

const everyMs = 5_000
const classOf = { nse: 'nse-index', bse: 'bse-index' } as const

/** The lists of a text as they would take effect. @throws AppError invalid */
export function checkCalendarLists(text: string, nowMs: number): readonly CalendarList[] {
  const read = readText(text)
  if ('code' in read) throw invalid(read)
  // The present day is in use: its candles and caches have the hours that were known this morning.
  const tomorrow = dateOf(dayOf(Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(indiaZone).toPlainDate().toString()) + 1)
  return read.map((list) => {
    if (list.until < tomorrow) throw invalid(message('calendarList.over', tomorrow))
    const { coveredUntil } = calendarSourceOf(classOf[list.exchange]).exchange
    const next = coveredUntil === null ? list.from : dateOf(dayOf(coveredUntil) + 1)
    if (list.from > next) throw invalid(message('calendarList.gap', next))
    return listFrom(list, tomorrow)
  })
}

/** What lists would change in the calendars of this process. */
export function previewCalendarLists(lists: readonly CalendarList[]): CalendarPreview[] {
  return lists.map((list) => {
    const { exchange, from, until, source } = list
    const before = new Map(rowsOf(calendarSourceOf(classOf[exchange]).exchange).filter(([date]) => date >= from && date <= until))
    const after = new Map(rowsOf(list))
    const changes = [...new Set([...before.keys(), ...after.keys()])].toSorted().map((date): CalendarChange => {
      const [was, is] = [before.get(date), after.get(date)]
      const change = is === undefined ? 'removed' : was === undefined ? 'added' : was.hours === is.hours ? 'same' : 'changed'
      const shown = is ?? was
      return { date, name: shown?.name ?? '', hours: shown?.hours ?? '', change }
    })
    return { exchange, from, until, source, changes }
  })
}

/** Imports holiday lists of exchanges, with their entries of the audit log, in one transaction. */
export async function importHolidayLists(
  db: Db,
  lists: readonly CalendarList[],
  by: Pick<AuditEntry, 'at' | 'actor' | 'address'>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockCalendarLists(transaction)
    const known = await readCalendarLists(transaction)
    for (const list of lists) {
      const earlier = known.lists.find(({ exchange }) => exchange === list.exchange)
      await writeCalendarList(transaction, mergeLists(earlier, list), by.at)
      const { exchange, from, until, source, holidays, specialSessions } = list
      const details = { from, until, source, holidays: holidays.length, specialSessions: specialSessions.length }
      await writeAudit(transaction, { ...by, action: 'calendar-imported', target: { id: null, name: exchange.toUpperCase() }, details })
    }
  })
}

interface Clock {
  /** Calls once after a delay; returns the function that cancels it. */
  after(delayMs: number, run: () => Promise<void>): () => void
}

/** Resolves once the lists are applied; returns the function that ends the watch. */
export async function watchCalendars(db: Db, clock: Clock, onError: (error: unknown) => void): Promise<() => void> {
  const look = calendarReader(db)
  let isOver = false
  let cancel: () => void = () => undefined
  async function again(): Promise<void> {
    await look().catch(onError)
    if (!isOver) cancel = clock.after(everyMs, again)
  }
  await look()
  cancel = clock.after(everyMs, again)
  return () => {
    isOver = true
    cancel()
  }
}

/** Reads the lists and applies them if they have changed since the last call. */
export function calendarReader(db: Db): () => Promise<void> {
  let known = ''
  return async () => {
    const { revision, lists } = await readCalendarLists(db)
    if (revision === known) return
    known = revision
    applyCalendarLists(lists)
  }
}

type Rows = Pick<CalendarList, 'holidays' | 'specialSessions'>

/** By date; a special session wins over a holiday. Hours as text: `closed`, `open`, or such as 18:00-19:00. */
function rowsOf({ holidays, specialSessions }: Rows): (readonly [string, { name: string; hours: string }])[] {
  return [
    ...holidays.map(({ date, name }) => [date, { name, hours: 'closed' }] as const),
    ...specialSessions.map(
      ({ date, name, hours }) => [date, { name, hours: hours === null ? 'open' : `${hours.open}-${hours.close}` }] as const,
    ),
  ]
}

function invalid(issue: ConstructorParameters<typeof AppError>[1]): AppError {
  return new AppError('invalid', issue, { fields: { text: issue } })
}
