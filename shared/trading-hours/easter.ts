// Date of Easter, on which some exchange holidays depend.
import { dayMs } from '#shared/base/durations.ts'

/** Day number of Easter Sunday in a year of the Gregorian calendar (Meeus/Jones/Butcher algorithm). */
export function easterDayOf(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const count = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(count / 31) - 1, (count % 31) + 1) / dayMs
}
