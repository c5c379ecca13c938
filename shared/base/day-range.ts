// Ranges of days, both ends included.

export interface DayRange {
  /** ISO dates; undefined or empty where the range is open. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** True if the range ends before it starts. */
export function isReversed({ from = '', to = '' }: DayRange): boolean {
  return from !== '' && to !== '' && to < from
}
