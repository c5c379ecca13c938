// Pointer gestures on the drawings of one chart: draws a new one, or selects, moves and resizes an existing one.
import { anchorCounts, safeAnchor, type Anchor, type Drawing, type DrawingColour, type DrawingKind } from '#shared/drawings/drawing.ts'
import { moved, resized } from '#shared/drawings/edit.ts'
import { hitTest, reachPx, type Hit } from '#shared/drawings/hit-test.ts'
import { magnetised, type MagnetBar } from '#shared/drawings/magnet.ts'
import type { Mapping, Point } from '#shared/drawings/mapping.ts'
import type { ShapeTexts } from '#shared/drawings/shape.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import type { DrawingList } from './drawing-list.ts'

export interface GestureOptions {
  readonly mapping: () => Mapping | undefined
  readonly barAt: (timeMs: number) => MagnetBar | undefined
  readonly texts: ShapeTexts
  readonly newId: () => string
  /** Announces a sentence to screen readers. */
  readonly report: (sentence: string) => void
  /** Prompts for a text; no callback when the user cancels. */
  readonly askText: (before: string, done: (text: string) => void) => void
}

/** What the toolbar has set; changed in place. */
export interface DrawingTools {
  /** Undefined in select mode. */
  tool: DrawingKind | undefined
  colour: DrawingColour
  isMagnet: boolean
}

interface DraftPress {
  readonly kind: 'draft'
  readonly from: Point
  readonly isSecond: boolean
}

interface EditPress {
  readonly kind: 'edit'
  readonly from: Point
  readonly hit: Hit
  readonly before: Drawing
  readonly wasSelected: boolean
}

/** Pointer movement up to this distance is a click, not a drag. */
const slipPx = 4

export class DrawingGestures {
  readonly #options: GestureOptions
  readonly #list: DrawingList
  readonly #tools: DrawingTools
  readonly #notify: () => void
  #draft: Drawing | undefined
  #pressed: DraftPress | EditPress | undefined
  /** Preview of the selected drawing while it is moved. */
  #preview: Drawing | undefined

  constructor(options: GestureOptions, { list, tools, notify }: { list: DrawingList; tools: DrawingTools; notify: () => void }) {
    this.#options = options
    this.#list = list
    this.#tools = tools
    this.#notify = notify
  }

  get hasDraft(): boolean {
    return this.#draft !== undefined
  }

  get isPressed(): boolean {
    return this.#pressed !== undefined
  }

  get isEditing(): boolean {
    return this.#pressed?.kind === 'edit'
  }

  /** All drawings to paint, including previews, topmost last. */
  shown(): readonly Drawing[] {
    const [moving, draft, list] = [this.#preview, this.#draft, this.#list.all]
    const still = moving === undefined ? list : list.map((one) => (one.id === moving.id ? moving : one))
    return draft === undefined || draft.kind === 'text' ? still : [...still, draft]
  }

  anchorAt(point: Point): Anchor | undefined {
    const mapping = this.#options.mapping()
    const barAt = this.#tools.isMagnet ? this.#options.barAt : () => undefined
    const anchor = mapping === undefined ? null : magnetised(point, mapping, barAt)
    return anchor === null ? undefined : safeAnchor(anchor.timeMs, anchor.price)
  }

  /** Pointer down; returns whether the gesture is handled here. */
  press(point: Point, pointer: keyof typeof reachPx): boolean {
    const mapping = this.#options.mapping()
    if (mapping === undefined) return false
    if (this.#tools.tool === undefined) return this.#select(point, pointer, mapping)
    this.#place(point, this.#tools.tool)
    return true
  }

  move(point: Point): void {
    if (this.#draft !== undefined) {
      const anchor = this.anchorAt(point)
      if (anchor !== undefined) this.#draft = resized(this.#draft, this.#draft.anchors.length - 1, anchor)
    } else if (this.#pressed?.kind === 'edit') this.#preview = this.#edited(this.#pressed, point)
    else return
    this.#notify()
  }

  release(point: Point): void {
    const was = this.#pressed
    this.#pressed = undefined
    if (was?.kind === 'edit') return this.#releaseEdit(was, point)
    this.move(point)
    const draft = this.#draft
    if (was === undefined || draft === undefined) return undefined
    if (draft.anchors.length === 1 || was.isSecond || distance(point, was.from) > slipPx) return this.finish(draft)
    // Click mode: one click for each anchor.
    return this.#options.report(workspaceText.placeSecond(workspaceText.toolNames[draft.kind]))
  }

  /** Ends the current gesture without a result. */
  abort(): void {
    this.#draft = undefined
    this.#pressed = undefined
    this.#preview = undefined
  }

  /** Adds a new drawing and deselects its tool. */
  finish(made: Drawing): void {
    this.abort()
    this.#tools.tool = undefined
    const [first, second] = made.anchors
    // A drawing whose two anchors coincide is invisible.
    if (second !== undefined && first?.timeMs === second.timeMs && first.price === second.price) return this.#notify()
    if (made.kind !== 'text') return this.#list.add(made)
    this.#notify()
    this.#options.askText('', (text) => this.#list.add({ ...made, text }))
  }

  #place(point: Point, kind: DrawingKind): void {
    const anchor = this.anchorAt(point)
    if (anchor === undefined) return
    this.#pressed = { kind: 'draft', from: point, isSecond: this.#draft !== undefined }
    const anchors = anchorCounts[kind] === 1 ? [anchor] : [anchor, anchor]
    this.#draft =
      this.#draft === undefined
        ? { id: this.#options.newId(), kind, anchors, colour: this.#tools.colour, width: 1, text: '' }
        : resized(this.#draft, 1, anchor)
    this.#notify()
  }

  #select(point: Point, pointer: keyof typeof reachPx, mapping: Mapping): boolean {
    const list = this.#list.all
    const selectedId = this.#list.selected?.id
    const hit = hitTest(list, point, { mapping, texts: this.#options.texts, reach: reachPx[pointer], selectedId })
    const before = list.find(({ id }) => id === hit?.id)
    const wasSelected = before !== undefined && before.id === selectedId
    this.#list.select(hit?.id)
    this.#notify()
    // Otherwise a panning finger would drag the drawing it starts on: the first touch selects, the second moves.
    if (hit === undefined || before === undefined || (pointer === 'touch' && !wasSelected)) return false
    this.#pressed = { kind: 'edit', from: point, hit, before, wasSelected }
    return true
  }

  #edited({ from, hit, before }: EditPress, point: Point): Drawing {
    const mapping = this.#options.mapping()
    if (mapping === undefined || distance(point, from) <= slipPx) return before
    if (hit.part === 'body') return moved(before, { x: point.x - from.x, y: point.y - from.y }, mapping)
    const anchor = this.anchorAt(point)
    return anchor === undefined ? before : resized(before, hit.part, anchor)
  }

  #releaseEdit(edit: EditPress, point: Point): void {
    const { before, wasSelected } = edit
    const next = this.#edited(edit, point)
    this.#preview = undefined
    if (next !== before) return this.#list.change(next)
    this.#notify()
    if (before.kind === 'text' && wasSelected) this.#options.askText(before.text, (text) => this.#list.change({ ...before, text }))
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
