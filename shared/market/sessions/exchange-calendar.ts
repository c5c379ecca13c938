// The form of the calendar files, and which file holds the hours of which session class.
import bse from './calendars/bse.json' with { type: 'json' }
import cme from './calendars/cme.json' with { type: 'json' }
import comex from './calendars/comex.json' with { type: 'json' }
import crypto from './calendars/crypto.json' with { type: 'json' }
import fx from './calendars/fx.json' with { type: 'json' }
import metals from './calendars/metals.json' with { type: 'json' }
import nse from './calendars/nse.json' with { type: 'json' }
import type { SessionClass } from './session-class.ts'

interface Sourced {
  /** Where the row comes from, so that it can be checked again. */
  readonly sourceRef: string
}

/** Wall clock times such as `09:15`; `24:00` is the midnight that ends the date. */
interface WallWindow {
  readonly start: string
  readonly end: string
}

export interface HoursRule extends Sourced {
  /** First date on which it holds; it ends where the next rule starts. The first rule also holds before. */
  readonly from: string
  readonly open: string
  /** Whether `open` is a time of the evening before the trading date. */
  readonly opensDayBefore: boolean
  /** End of continuous trading. */
  readonly close: string
  /** Follows at `close`; its one print carries the stamp `print`. */
  readonly closingAuction: { readonly end: string; readonly print: string } | null
  /** Values of an index that may still come after `close`, while the closing auction of its shares ends. */
  readonly closingValues?: { readonly end: string } | undefined
  readonly preOpen: WallWindow | null
  readonly postClose: WallWindow | null
}

interface Holiday extends Sourced {
  readonly date: string
  readonly name: string
}

interface YearlyHoliday extends Sourced {
  /** Such as `12-25`; either this or `easterDays`. */
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
  /** Later trading date that its trades count to; `date` itself then has no session of its own. */
  readonly tradeDate?: string | undefined
  readonly areTimesKnown: boolean
}

export interface ExchangeCalendar {
  /** Changes with every change of the file, so that candles made with an older one can be told. */
  readonly version: string
  readonly zone: string
  /** Usual trading weekdays of the trading date; 1 is Monday. */
  readonly weekdays: readonly number[]
  /** First and last date of which holidays are known; null where rules hold for every year. */
  readonly coveredFrom: string | null
  readonly coveredUntil: string | null
  /** Last date of which the days with other hours are known, where only these differ from year to year; else null. */
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

export const calendarSources: Readonly<Record<SessionClass, CalendarSource>> = {
  'nse-equity': { exchange: nse, rules: nse.rules.equity },
  'nse-index': { exchange: nse, rules: nse.rules.index },
  'bse-index': { exchange: bse, rules: bse.rules.index },
  fx: { exchange: fx, rules: fx.rules.spot },
  metals: { exchange: metals, rules: metals.rules.spot },
  crypto: { exchange: crypto, rules: crypto.rules.spot },
  cme: { exchange: cme, rules: cme.rules.futures },
  comex: { exchange: comex, rules: comex.rules.futures },
}
