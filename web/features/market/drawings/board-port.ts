// What pointer, keys and toolbar can do to the drawings of one chart, and what they can see.
import type { Drawing, DrawingColour, DrawingKind } from '#shared/market/drawings/drawing.ts'
import type { reachPx } from '#shared/market/drawings/hit-test.ts'
import type { KeyPress } from '#shared/market/drawings/keys.ts'
import type { Point } from '#shared/market/drawings/mapping.ts'

export interface BoardState {
  /** Undefined while a press selects and moves. */
  readonly tool: DrawingKind | undefined
  readonly selected: Drawing | undefined
  readonly isMagnet: boolean
  readonly colour: DrawingColour
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly count: number
}

export interface DrawingBoard {
  readonly state: () => BoardState
  /** Called after every change, also of what is only being moved. */
  readonly onState: (listener: () => void) => () => void
  /** All that is to be painted, as it is now, the topmost last. */
  readonly shown: () => readonly Drawing[]
  /** Drawings from the server; the steps before them cannot be taken back. */
  readonly load: (drawings: readonly Drawing[]) => void
  /** A press; true where the board takes it and the chart must not. */
  readonly press: (point: Point, pointer: keyof typeof reachPx) => boolean
  readonly move: (point: Point) => void
  readonly release: (point: Point) => void
  /** The press was taken away, such as by a second finger. */
  readonly abandon: () => void
  readonly key: (press: KeyPress) => boolean
  readonly choose: (tool: DrawingKind | undefined) => void
  /** Puts every tool down and selects the next drawing, or the one before. */
  readonly step: (by: 1 | -1) => void
  /** Puts a drawing into the middle, for whoever has no pointer. */
  readonly insert: (kind: DrawingKind) => void
  readonly setMagnet: (isOn: boolean) => void
  /** Of the selected drawing, and of the next ones. */
  readonly setColour: (colour: DrawingColour) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly removeSelected: () => void
  readonly removeAll: () => void
}
