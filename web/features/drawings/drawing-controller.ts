// Drawing controller of one chart: tools, pointer and keys. Independent of the DOM and the server.
import { listenerSet } from '#shared/base/listeners.ts'
import { anchorCounts, type Drawing, type DrawingColour, type DrawingKind } from '#shared/drawings/drawing.ts'
import type { reachPx } from '#shared/drawings/hit-test.ts'
import { commandOf, type KeyPress } from '#shared/drawings/keys.ts'
import type { Point } from '#shared/drawings/mapping.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { DrawingGestures, type DrawingTools, type GestureOptions } from './drawing-gestures.ts'
import { DrawingList, type DrawingListOptions } from './drawing-list.ts'

export interface DrawingState {
  /** Undefined in select mode. */
  readonly tool: DrawingKind | undefined
  readonly selected: Drawing | undefined
  readonly isMagnet: boolean
  readonly colour: DrawingColour
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly count: number
}

export type DrawingOptions = DrawingListOptions & GestureOptions

export class DrawingController {
  /** Called after every change, previews included. */
  readonly onState: (listener: () => void) => () => void
  readonly #options: DrawingOptions
  readonly #list: DrawingList
  readonly #gestures: DrawingGestures
  readonly #tools: DrawingTools = { tool: undefined, colour: 'accent', isMagnet: false }
  readonly #listeners = listenerSet()
  #state: DrawingState

  constructor(options: DrawingOptions) {
    const notify = () => this.#notify()
    this.#options = options
    this.#list = new DrawingList(options, notify)
    this.#gestures = new DrawingGestures(options, { list: this.#list, tools: this.#tools, notify })
    this.#state = this.#read()
    this.onState = this.#listeners.add
  }

  readonly state = () => this.#state

  /** All drawings to paint, including previews, topmost last. */
  shown(): readonly Drawing[] {
    return this.#gestures.shown()
  }

  /** Loads drawings from the server and clears the undo history. */
  load(drawings: readonly Drawing[]): void {
    this.#list.load(drawings)
  }

  /** Pointer down; returns true where it is handled here and the chart must not. */
  press(point: Point, pointer: keyof typeof reachPx): boolean {
    return this.#gestures.press(point, pointer)
  }

  move(point: Point): void {
    this.#gestures.move(point)
  }

  release(point: Point): void {
    this.#gestures.release(point)
  }

  /** Pointer cancelled, for example by a second finger. */
  abandon(): void {
    if (!this.#gestures.isPressed) return
    this.#gestures.abort()
    this.#notify()
  }

  /** Returns whether the key did something. */
  key(press: KeyPress): boolean {
    const has = { selection: this.#list.selected !== undefined, draft: this.#gestures.hasDraft || this.#tools.tool !== undefined }
    const command = commandOf(press, has)
    if (command === undefined) return false
    // End the pointer's drag before a key changes the drawing.
    if (this.#gestures.isEditing) this.#gestures.abort()
    if (command.kind === 'nudge') this.#list.nudge(command.by)
    else if (command.kind === 'undo') this.#list.undo()
    else if (command.kind === 'redo') this.#list.redo()
    else if (command.kind === 'remove') this.#list.removeSelected()
    else if (command.kind === 'next-part') this.#list.nextPart()
    else if (command.kind === 'select') this.step(command.step)
    else this.#cancel()
    return true
  }

  choose(tool: DrawingKind | undefined): void {
    this.#gestures.abort()
    this.#tools.tool = tool
    if (tool !== undefined) {
      this.#list.select(undefined)
      this.#options.report(workspaceText.placeFirst(workspaceText.toolNames[tool]))
    }
    this.#notify()
  }

  /** Deselects every tool and selects the next or previous drawing. */
  step(by: 1 | -1): void {
    this.#gestures.abort()
    this.#tools.tool = undefined
    this.#notify()
    this.#list.step(by)
  }

  /** Inserts a drawing at the centre of the view, for keyboard users. */
  insert(kind: DrawingKind): void {
    const mapping = this.#options.mapping()
    if (mapping === undefined) return
    const { width, height } = mapping
    const points = [
      { x: width * 0.35, y: height * 0.6 },
      { x: width * 0.65, y: height * 0.4 },
    ]
    const anchors = points
      .slice(0, anchorCounts[kind])
      .map((point) => this.#gestures.anchorAt(point))
      .filter((anchor) => anchor !== undefined)
    if (anchors.length < anchorCounts[kind]) return
    this.#gestures.finish({ id: this.#options.newId(), kind, anchors, colour: this.#tools.colour, width: 1, text: '' })
  }

  setMagnet(isOn: boolean): void {
    this.#tools.isMagnet = isOn
    this.#notify()
  }

  /** Sets the colour of the selected drawing and of new ones. */
  setColour(colour: DrawingColour): void {
    this.#tools.colour = colour
    const one = this.#list.selected
    if (one === undefined || one.colour === colour) this.#notify()
    else this.#list.change({ ...one, colour })
  }

  undo(): void {
    this.#list.undo()
  }

  redo(): void {
    this.#list.redo()
  }

  removeSelected(): void {
    this.#list.removeSelected()
  }

  removeAll(): void {
    this.#list.removeAll()
  }

  /** Cancels the current gesture, else deselects the tool, else clears the selection. */
  #cancel(): void {
    const { hasDraft, isPressed } = this.#gestures
    if (!hasDraft && !isPressed && this.#tools.tool === undefined) this.#list.select(undefined)
    this.#gestures.abort()
    this.#tools.tool = undefined
    this.#notify()
  }

  #read(): DrawingState {
    const { all, selected, canUndo, canRedo } = this.#list
    return { ...this.#tools, selected, canUndo, canRedo, count: all.length }
  }

  #notify(): void {
    this.#state = this.#read()
    this.#listeners.notify()
  }
}
