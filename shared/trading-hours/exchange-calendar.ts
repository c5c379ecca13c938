// Format of the calendar files, and which file applies to which session class.
import bse from './calendars/bse.json' with { type: 'json' }
import cme from './calendars/cme.json' with { type: 'json' }
import comex from './calendars/comex.json' with { type: 'json' }
import crypto from './calendars/crypto.json' with { type: 'json' }
import fx from './calendars/fx.json' with { type: 'json' }
import metals from './calendars/metals.json' with { type: 'json' }
import nse from './calendars/nse.json' with { type: 'json' }
import type { CalendarList, ImportableExchange } from './calendar-list.ts'
import type { SessionClass } from './session-class.ts'

interface Sourced {
  /** Source of the row, for verification. */
  readonly sourceRef: string
}

/** Wall clock times such as `09:15`; `24:00` is midnight at the end of the date. */
interface WallWindow {
  readonly start: string
  readonly end: string
}

export interface HoursRule extends Sourced {
  /** First date; the rule ends where the next one starts. The first rule also applies before. */
  readonly from: string
  readonly open: string
  /** Whether `open` is on the evening before the trading date. */
  readonly opensDayBefore: boolean
  /** End of continuous trading. */
  readonly close: string
  /** Starts at `close`; its single print has the timestamp `print`. */
  readonly closingAuction: { readonly end: string; readonly print: string } | null
  /** Index values that may still arrive after `close`, during the closing auction of its shares. */
  readonly closingValues?: { readonly end: string } | undefined
  readonly preOpen: WallWindow | null
  readonly postClose: WallWindow | null
}

interface Holiday extends Sourced {
  readonly date: string
  readonly name: string
}

interface YearlyHoliday extends Sourced {
  /** For example `12-25`; either this or `easterDays`. */
  readonly monthDay?: string | undefined
  /** Days after Easter Sunday, negative before it. */
  readonly easterDays?: number | undefined
  readonly name: string
}

export interface SpecialSession extends Sourced {
  readonly date: string
  readonly name: string
  /** Null for the usual hours of the date. */
  readonly hours: { readonly open: string; readonly close: string } | null
  /** Later trading date of its trades; `date` itself then has no session. */
  readonly tradeDate?: string | undefined
  readonly areTimesKnown: boolean
}

export interface ExchangeCalendar {
  /** Changes with every edit of the file, so that candles made with an older version can be identified. */
  readonly version: string
  readonly zone: string
  /** Usual weekdays of trading dates; 1 is Monday. */
  readonly weekdays: readonly number[]
  /** First and last date with known holidays; null if the rules hold for every year. */
  readonly coveredFrom: string | null
  readonly coveredUntil: string | null
  /** Last date with known special hours, if only these differ from year to year; else null. */
  readonly shortDaysUntil: string | null
  readonly holidays: readonly Holiday[]
  readonly yearlyHolidays: readonly YearlyHoliday[]
  readonly specialSessions: readonly SpecialSession[]
}

export interface CalendarSource {
  readonly exchange: ExchangeCalendar
  /** Ascending by `from`, never empty. */
  readonly rules: readonly HoursRule[]
}

const builtIn: Readonly<Record<SessionClass, CalendarSource>> = {
  'nse-equity': { exchange: nse, rules: nse.rules.equity },
  'nse-index': { exchange: nse, rules: nse.rules.index },
  'bse-index': { exchange: bse, rules: bse.rules.index },
  fx: { exchange: fx, rules: fx.rules.spot },
  metals: { exchange: metals, rules: metals.rules.spot },
  crypto: { exchange: crypto, rules: crypto.rules.spot },
  cme: { exchange: cme, rules: cme.rules.futures },
  comex: { exchange: comex, rules: comex.rules.futures },
}

const classesOf: Readonly<Record<ImportableExchange, readonly SessionClass[]>> = {
  nse: ['nse-equity', 'nse-index'],
  bse: ['bse-index'],
}

let sources = builtIn
let applied: readonly CalendarList[] = []
let generation = 0

/** The calendar of a session class, with the imported lists. */
export function calendarSourceOf(sessionClass: SessionClass): CalendarSource {
  return sources[sessionClass]
}

/** The imported lists that are applied. */
export function appliedCalendarLists(): readonly CalendarList[] {
  return applied
}

/** Changes with the imported lists. */
export function calendarGeneration(): number {
  return generation
}

/** Applies the imported lists, at most one for each exchange, instead of those applied before. */
export function applyCalendarLists(lists: readonly CalendarList[]): void {
  applied = lists
  sources = { ...builtIn, ...Object.fromEntries(lists.flatMap(changedSources)) }
  generation += 1
}

function changedSources(list: CalendarList): (readonly [SessionClass, CalendarSource])[] {
  const classes = classesOf[list.exchange]
  const [first] = classes
  if (first === undefined) return []
  // One object for all classes of an exchange, as in the files.
  const exchange = withList(builtIn[first].exchange, list)
  return classes.map((sessionClass) => [sessionClass, { ...builtIn[sessionClass], exchange }] as const)
}

function withList(exchange: ExchangeCalendar, { from, until, source, holidays, specialSessions }: CalendarList): ExchangeCalendar {
  const isKept = ({ date }: { readonly date: string }) => date < from || date > until
  const isLater = exchange.coveredUntil !== null && exchange.coveredUntil < until
  return {
    ...exchange,
    version: `${exchange.version} + ${source}`,
    coveredUntil: isLater ? until : exchange.coveredUntil,
    holidays: [...exchange.holidays.filter(isKept), ...holidays.map((row) => ({ ...row, sourceRef: source }))],
    specialSessions: [
      ...exchange.specialSessions.filter(isKept),
      ...specialSessions.map((row) => ({ ...row, areTimesKnown: true, sourceRef: source })),
    ],
  }
}
