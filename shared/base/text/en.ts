// Names of months, weekdays and halves of the day.
import { texts } from '#shared/text/texts.ts'

export const calendarText = texts('calendar', {
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  am: 'AM',
  pm: 'PM',
})
