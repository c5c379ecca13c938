// What a tick changes: the one interface through which new data reaches everything drawn from bars.
import type { BarWindow } from './view-window.ts'

/** `length` is always the number of all bars. */
export interface BarLayer {
  /** Sets the data of a window. */
  draw(window: BarWindow, length: number): void
  /** Gives the library the bars from an index on, which are new or changed; the window now includes the last bar. */
  advance(fromIndex: number, length: number): void
  /**
   * Takes over a change from an index on for the next overlay repaint. Returns false where the library has to paint, because more
   * than the forming bar or the price scale changes: `advance` then follows before the next frame.
   */
  touch(fromIndex: number, length: number): boolean
}
