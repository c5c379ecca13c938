// Reads the text of a holiday list. Format: docs/operating/market-data.md, "Importing a holiday list".
import { message, type MessageCode } from '#shared/messages/message.ts'
import type { Message } from '#shared/text/texts.ts'
import { dateOf, dayOf } from './day.ts'
import { importableExchanges, type CalendarList, type ImportableExchange, type ListedSession } from './calendar-list.ts'

/** Of the text in characters: a year has about 20 rows. */
export const calendarTextMax = 10_000
const nameMax = 80
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export type ReadLists = readonly CalendarList[] | Message<MessageCode>

interface Head {
  readonly exchanges: readonly ImportableExchange[]
  readonly from: string
  readonly until: string
  readonly source: string
}

interface Row {
  readonly date: string
  readonly name: string
  /** Undefined for a holiday. */
  readonly hours: ListedSession['hours'] | undefined
}

/** One list for each exchange that the text names, or what is wrong with it. */
export function readCalendarLists(text: string): ReadLists {
  const lines = text.split(/\r?\n/).map((line, index) => ({ number: index + 1, line: line.trim() }))
  const used = lines.filter(({ line }) => line !== '' && !line.startsWith('#'))
  const fields = new Map<string, string>()
  const rows: Row[] = []
  for (const { number, line } of used) {
    const field = /^(exchange|from|until|source)\s*:\s*(.*)$/i.exec(line)
    if (field !== null) {
      fields.set(field[1]?.toLowerCase() ?? '', field[2] ?? '')
      continue
    }
    const row = readRow(line)
    if (typeof row === 'string') return message(`calendarList.${row}`, number)
    if (rows.some(({ date }) => date === row.date)) return message('calendarList.twice', number)
    rows.push(row)
  }
  const head = readHead(fields)
  if ('code' in head) return head
  const outside = rows.find(({ date }) => date < head.from || date > head.until)
  if (outside !== undefined) return message('calendarList.outside', outside.date)
  if (rows.length === 0) return message('calendarList.noRows')
  return head.exchanges.map((exchange) => listOf(exchange, head, rows))
}

function readHead(fields: ReadonlyMap<string, string>): Head | Message<MessageCode> {
  const names = (fields.get('exchange') ?? '').toLowerCase().split(/[\s,]+/)
  const exchanges = importableExchanges.filter((known) => names.includes(known))
  if (exchanges.length === 0 || exchanges.length !== names.length) return message('calendarList.exchange')
  const [from, until] = ['from', 'until'].map((name) => readDate(fields.get(name) ?? ''))
  if (from === undefined || until === undefined || until < from) return message('calendarList.span')
  const source = fields.get('source') ?? ''
  if (source.length < 5 || source.length > 200) return message('calendarList.source')
  return { exchanges, from, until, source }
}

/** `date, name` or `date, name, hours`; a column with the weekday, as in the exchanges' tables, may stand between. */
function readRow(line: string): Row | 'badDate' | 'badName' | 'badHours' {
  const cells = line.split(/[,\t]/).map((cell) => cell.trim())
  const date = readDate(cells[0] ?? '')
  if (date === undefined) return 'badDate'
  const rest = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i.test(cells[1] ?? '') ? cells.slice(2) : cells.slice(1)
  const [name = '', hours, ...others] = rest
  if (name === '' || name.length > nameMax) return 'badName'
  if (hours === undefined) return { date, name, hours: undefined }
  const read = readHours(hours)
  return read === undefined || others.length > 0 ? 'badHours' : { date, name, hours: read }
}

/** `open` for the usual hours, or such as 18:00-19:00. */
function readHours(text: string): ListedSession['hours'] | undefined {
  if (text.toLowerCase() === 'open') return null
  const [, open, close] = /^((?:[01]\d|2[0-3]):[0-5]\d)\s*-\s*((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? []
  return open === undefined || close === undefined || close <= open ? undefined : { open, close }
}

/** 2027-01-26, or 26-Jan-2027 as the exchanges write. */
function readDate(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})-([a-z]{3})[a-z]*-(\d{4})$/i.exec(text) ?? []
  const number = months.indexOf((month ?? '').toLowerCase()) + 1
  const date = number > 0 ? `${year}-${String(number).padStart(2, '0')}-${day?.padStart(2, '0')}` : text
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && Number.isInteger(dayOf(date)) && dateOf(dayOf(date)) === date
  return isDate ? date : undefined
}

function listOf(exchange: ImportableExchange, { from, until, source }: Head, rows: readonly Row[]): CalendarList {
  const sorted = rows.toSorted((one, other) => (one.date < other.date ? -1 : 1))
  return {
    exchange,
    from,
    until,
    source,
    holidays: sorted.flatMap(({ date, name, hours }) => (hours === undefined ? [{ date, name }] : [])),
    specialSessions: sorted.flatMap(({ date, name, hours }) => (hours === undefined ? [] : [{ date, name, hours }])),
  }
}
