// Texts of the import of a holiday list.
import { texts } from '#shared/text/texts.ts'

export const calendarListText = texts('calendarList', {
  exchange: 'Name the exchange: a line such as "exchange: nse, bse".',
  span: 'Name the first and the last day: lines such as "from: 2027-01-01" and "until: 2027-12-31".',
  source: 'Name the circular: a line such as "source: NSE/CMTR/70000 of 11 December 2026".',
  badDate: (line: number) => `Line ${line}: begin with a date such as 2027-01-26 or 26-Jan-2027.`,
  badName: (line: number) => `Line ${line}: a name of at most 80 characters belongs behind the date.`,
  badHours: (line: number) => `Line ${line}: write hours as 18:00-19:00, or "open" for the usual hours.`,
  twice: (line: number) => `Line ${line}: this date is listed twice.`,
  outside: (date: string) => `${date} is not between the first and the last day.`,
  noRows: 'The list has no dates.',
  gap: (from: string) => `The list has to begin by ${from}: the days before it would have no list.`,
  over: (from: string) => `The list ends before ${from}. Changes take effect on the next day at the earliest.`,
  imported: 'Holiday list imported',
})
