// What the legend says about one study at one bar.
import type { StudyId } from '#shared/market/indicators/study-ids.ts'

export interface Reading {
  readonly label: string
  readonly text: string
  readonly tone: 'up' | 'down' | 'plain'
  /** Of the line that is read. */
  readonly colour?: string
  /** Of so many blocks this many are the buyers'. */
  readonly gauge?: { readonly full: number; readonly total: number }
}

export interface StudyNote {
  readonly text: string
  /** Where there is no room for the sentence. */
  readonly short: string | undefined
}

export interface StudyReading {
  readonly id: StudyId
  readonly name: string
  /** The numbers that it runs with, such as 20. */
  readonly summary: string
  readonly isHidden: boolean
  /** Where the numbers come from, or why there are none; undefined where they come from the candles in view and their volume. */
  readonly note: StudyNote | undefined
  readonly readings: readonly Reading[]
  /** Where the study's own pane begins, in pixels; 0 for one on the price. */
  readonly paneTopPx: number
}
