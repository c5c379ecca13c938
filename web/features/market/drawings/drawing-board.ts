// The drawings of one chart under the hands of a person: tools, pointer and keys. It knows neither elements nor the server.
import { listenerSet } from '#shared/base/listeners.ts'
import {
  anchorCounts,
  safeAnchor,
  type Anchor,
  type Drawing,
  type DrawingColour,
  type DrawingKind,
} from '#shared/market/drawings/drawing.ts'
import { moved, resized } from '#shared/market/drawings/edit.ts'
import { hitTest, reachPx, type Hit } from '#shared/market/drawings/hit-test.ts'
import { commandOf } from '#shared/market/drawings/keys.ts'
import { magnetised, type MagnetBar } from '#shared/market/drawings/magnet.ts'
import type { Mapping, Point } from '#shared/market/drawings/mapping.ts'
import type { ShapeTexts } from '#shared/market/drawings/shape.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'
import type { BoardState, DrawingBoard } from './board-port.ts'
import { drawingSheet, type SheetNeeds } from './drawing-sheet.ts'

export interface BoardNeeds extends SheetNeeds {
  readonly mapping: () => Mapping | undefined
  readonly barAt: (timeMs: number) => MagnetBar | undefined
  readonly texts: ShapeTexts
  readonly newId: () => string
  /** Asks for a text; nothing is called where the person changes their mind. */
  readonly askText: (before: string, done: (text: string) => void) => void
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

/** So far a press may wander and is still no drag, in pixels. */
const slipPx = 4

export function drawingBoard(needs: BoardNeeds): DrawingBoard {
  const sheet = drawingSheet(needs, tell)
  let tool: DrawingKind | undefined
  let colour: DrawingColour = 'accent'
  let isMagnet = false
  let draft: Drawing | undefined
  let pressed: DraftPress | EditPress | undefined
  /** The selected drawing while it is being moved. */
  let preview: Drawing | undefined
  const listeners = listenerSet()
  let state = read()

  function read(): BoardState {
    const [canUndo, canRedo] = [sheet.canUndo(), sheet.canRedo()]
    return { tool, selected: sheet.selected(), isMagnet, colour, canUndo, canRedo, count: sheet.list().length }
  }

  function tell(): void {
    state = read()
    listeners.notify()
  }

  function anchorAt(point: Point): Anchor | undefined {
    const mapping = needs.mapping()
    const anchor = mapping === undefined ? null : magnetised(point, mapping, isMagnet ? needs.barAt : () => undefined)
    return anchor === null ? undefined : safeAnchor(anchor.timeMs, anchor.price)
  }

  function begin(point: Point, kind: DrawingKind): void {
    const anchor = anchorAt(point)
    if (anchor === undefined) return
    pressed = { kind: 'draft', from: point, isSecond: draft !== undefined }
    const anchors = anchorCounts[kind] === 1 ? [anchor] : [anchor, anchor]
    draft = draft === undefined ? { id: needs.newId(), kind, anchors, colour, width: 1, text: '' } : resized(draft, 1, anchor)
    tell()
  }

  function finish(made: Drawing): void {
    letGo()
    tool = undefined
    const [first, second] = made.anchors
    // Both ends on one place are nothing to see.
    if (second !== undefined && first?.timeMs === second.timeMs && first.price === second.price) return tell()
    if (made.kind !== 'text') return sheet.add(made)
    tell()
    needs.askText('', (text) => sheet.add({ ...made, text }))
  }

  function take(point: Point, pointer: keyof typeof reachPx, mapping: Mapping): boolean {
    const selectedId = sheet.selected()?.id
    const hit = hitTest(sheet.list(), point, { mapping, texts: needs.texts, reach: reachPx[pointer], selectedId })
    const before = sheet.list().find(({ id }) => id === hit?.id)
    const wasSelected = before !== undefined && before.id === selectedId
    sheet.select(hit?.id)
    tell()
    // A finger that pans would tear along everything it begins on: the first touch selects, the second one moves.
    if (hit === undefined || before === undefined || (pointer === 'touch' && !wasSelected)) return false
    pressed = { kind: 'edit', from: point, hit, before, wasSelected }
    return true
  }

  function edited({ from, hit, before }: EditPress, point: Point): Drawing {
    const mapping = needs.mapping()
    if (mapping === undefined || distance(point, from) <= slipPx) return before
    if (hit.part === 'body') return moved(before, { x: point.x - from.x, y: point.y - from.y }, mapping)
    const anchor = anchorAt(point)
    return anchor === undefined ? before : resized(before, hit.part, anchor)
  }

  function releaseEdit(edit: EditPress, point: Point): void {
    const next = edited(edit, point)
    preview = undefined
    if (next !== edit.before) return sheet.change(next)
    tell()
    if (edit.before.kind === 'text' && edit.wasSelected) needs.askText(edit.before.text, (text) => sheet.change({ ...edit.before, text }))
  }

  function letGo(): void {
    draft = undefined
    pressed = undefined
    preview = undefined
  }

  /** Gives up what has begun; where nothing has, the tool; where there is none, the selection. */
  function cancel(): void {
    if (draft === undefined && pressed === undefined && tool === undefined) sheet.select(undefined)
    letGo()
    tool = undefined
    tell()
  }

  const board: DrawingBoard = {
    state: () => state,
    onState: listeners.add,
    shown() {
      const moving = preview
      const still = moving === undefined ? sheet.list() : sheet.list().map((one) => (one.id === moving.id ? moving : one))
      return draft === undefined || draft.kind === 'text' ? still : [...still, draft]
    },
    load: sheet.load,
    press(point, pointer) {
      const mapping = needs.mapping()
      if (mapping === undefined) return false
      if (tool === undefined) return take(point, pointer, mapping)
      begin(point, tool)
      return true
    },
    move(point) {
      if (draft !== undefined) {
        const anchor = anchorAt(point)
        if (anchor !== undefined) draft = resized(draft, draft.anchors.length - 1, anchor)
      } else if (pressed?.kind === 'edit') preview = edited(pressed, point)
      else return
      tell()
    },
    release(point) {
      const was = pressed
      pressed = undefined
      if (was?.kind === 'edit') return releaseEdit(was, point)
      board.move(point)
      if (was === undefined || draft === undefined) return undefined
      if (draft.anchors.length === 1 || was.isSecond || distance(point, was.from) > slipPx) return finish(draft)
      // A click each for both ends.
      return needs.say(workspaceText.placeSecond(workspaceText.toolNames[draft.kind]))
    },
    abandon() {
      if (pressed === undefined) return
      letGo()
      tell()
    },
    key(press) {
      const has = { selection: sheet.selected() !== undefined, draft: draft !== undefined || tool !== undefined }
      const command = commandOf(press, has)
      if (command === undefined) return false
      // What is held by the pointer is let go before the keys change it.
      if (pressed?.kind === 'edit') letGo()
      if (command.kind === 'nudge') sheet.nudge(command.by)
      else if (command.kind === 'undo') sheet.undo()
      else if (command.kind === 'redo') sheet.redo()
      else if (command.kind === 'remove') sheet.removeSelected()
      else if (command.kind === 'next-part') sheet.nextPart()
      else if (command.kind === 'select') board.step(command.step)
      else cancel()
      return true
    },
    choose(next) {
      letGo()
      tool = next
      if (next !== undefined) {
        sheet.select(undefined)
        needs.say(workspaceText.placeFirst(workspaceText.toolNames[next]))
      }
      tell()
    },
    step(by) {
      letGo()
      tool = undefined
      tell()
      sheet.step(by)
    },
    insert(kind) {
      const mapping = needs.mapping()
      if (mapping === undefined) return
      const { width, height } = mapping
      const points = [
        { x: width * 0.35, y: height * 0.6 },
        { x: width * 0.65, y: height * 0.4 },
      ]
      const anchors = points
        .slice(0, anchorCounts[kind])
        .map(anchorAt)
        .filter((anchor) => anchor !== undefined)
      if (anchors.length === anchorCounts[kind]) finish({ id: needs.newId(), kind, anchors, colour, width: 1, text: '' })
    },
    setMagnet(isOn) {
      isMagnet = isOn
      tell()
    },
    setColour(next) {
      colour = next
      const one = sheet.selected()
      if (one === undefined || one.colour === next) return tell()
      return sheet.change({ ...one, colour: next })
    },
    undo: sheet.undo,
    redo: sheet.redo,
    removeSelected: sheet.removeSelected,
    removeAll: sheet.removeAll,
  }
  return board
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
