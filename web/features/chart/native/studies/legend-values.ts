// Legend entry of one study at one bar.
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'

export interface Reading {
  readonly label: string
  readonly text: string
  readonly tone: 'up' | 'down' | 'plain'
  /** Colour of the line. */
  readonly colour?: string
  /** Number of buyer blocks out of all blocks. */
  readonly gauge?: { readonly full: number; readonly total: number }
}

export interface StudyNote {
  readonly text: string
  /** For narrow layouts. */
  readonly short: string | undefined
  /** Shown as an icon with a tooltip. */
  readonly isIcon: boolean
}

export interface StudyReading {
  readonly id: StudyId
  readonly name: string
  /** The effective periods, for example 20. */
  readonly summary: string
  readonly isHidden: boolean
  /** Where the values come from, or why there are none; undefined where they come from the visible candles and their volume. */
  readonly note: StudyNote | undefined
  readonly readings: readonly Reading[]
  /** Top of the study's own pane in pixels; 0 for one on the price. */
  readonly paneTopPx: number
}
