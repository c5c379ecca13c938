// A holiday list that an operator imports: the dates of one exchange between two days.

/** The others are computed from rules. */
export const importableExchanges = ['nse', 'bse'] as const

export type ImportableExchange = (typeof importableExchanges)[number]

export interface ListedHoliday {
  readonly date: string
  readonly name: string
}

export interface ListedSession extends ListedHoliday {
  /** Null for the usual hours of the date. */
  readonly hours: { readonly open: string; readonly close: string } | null
}

/** Dates such as 2027-01-26. It replaces all rows of the calendar from `from` to `until`, both included. */
export interface CalendarList {
  readonly exchange: ImportableExchange
  readonly from: string
  readonly until: string
  /** The circular that it was taken from. */
  readonly source: string
  /** Ascending by date. */
  readonly holidays: readonly ListedHoliday[]
  /** Ascending by date: days with other hours, and days with trading that have none usually. */
  readonly specialSessions: readonly ListedSession[]
}

/** The list with the rows of a later one; its own rows stay before that one begins, and after it ends. */
export function mergeLists(earlier: CalendarList | undefined, later: CalendarList): CalendarList {
  if (earlier === undefined) return later
  const isKept = ({ date }: ListedHoliday) => date < later.from || date > later.until
  const merged = <Row extends ListedHoliday>(kept: readonly Row[], added: readonly Row[]) =>
    [...kept.filter(isKept), ...added].toSorted((one, other) => (one.date < other.date ? -1 : 1))
  return {
    ...later,
    from: earlier.from < later.from ? earlier.from : later.from,
    until: earlier.until > later.until ? earlier.until : later.until,
    holidays: merged(earlier.holidays, later.holidays),
    specialSessions: merged(earlier.specialSessions, later.specialSessions),
  }
}

/** The same list without what is over: it begins at `from` at the earliest. */
export function listFrom(list: CalendarList, from: string): CalendarList {
  if (list.from >= from) return list
  const isAhead = ({ date }: ListedHoliday) => date >= from
  return { ...list, from, holidays: list.holidays.filter(isAhead), specialSessions: list.specialSessions.filter(isAhead) }
}
