// Imported holiday lists, kept by the browser, so that the first paint of the next visit knows them.
import { parseJson } from '#shared/base/parse-json.ts'
import type { CalendarList } from '#shared/trading-hours/calendar-list.ts'
import { applyCalendarLists } from '#shared/trading-hours/exchange-calendar.ts'
import { browserStorage, settingsPrefix } from '#web/lib/browser-storage.ts'

const key = `${settingsPrefix}calendars`
let known = browserStorage.get(key) ?? '[]'

const kept = parseJson(known)
if (Array.isArray(kept) && kept.length > 0 && kept.every(isList)) applyCalendarLists(kept)

export function rememberCalendars(lists: readonly CalendarList[]): void {
  const text = JSON.stringify(lists)
  if (text === known) return
  known = text
  browserStorage.set(key, text)
  applyCalendarLists(lists)
}

/** Only what this release writes: a schema would be more code than the first paint has. */
function isList(value: unknown): value is CalendarList {
  if (typeof value !== 'object' || value === null) return false
  const { exchange, from, until, source, holidays, specialSessions } = value as Partial<CalendarList>
  const hasTexts = [from, until, source].every((text) => typeof text === 'string')
  return hasTexts && (exchange === 'nse' || exchange === 'bse') && Array.isArray(holidays) && Array.isArray(specialSessions)
}
