// Texts of date fields and of ranges of dates.
import { texts } from '#shared/text/texts.ts'

export const datesText = texts('dates', {
  start: 'Start date',
  end: 'End date',
  format: 'dd/mm/yyyy',
  invalid: 'Enter a date as dd/mm/yyyy',
  reversed: 'The end date is before the start date',
  choose: (label: string) => `Choose ${label.toLowerCase()}`,
  calendarOf: (label: string) => `Calendar, ${label.toLowerCase()}`,
  months: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  weekdayLetters: ['S', 'M', 'T', 'W', 'T', 'F', 'S'],
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
})
