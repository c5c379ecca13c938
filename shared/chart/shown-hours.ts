// Trading hours of the prices on a chart.
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { ChartChoice } from './chart-choice.ts'

/** The instrument's own hours, or those of its substitute; undefined if these are unknown. */
export function shownHours(own: SessionClass, choice: ChartChoice): SessionClass | undefined {
  if (choice.engine !== 'widget' || choice.proxy === null) return own
  return choice.sessionClass ?? undefined
}
