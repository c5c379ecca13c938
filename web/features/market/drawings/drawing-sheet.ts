// The drawings of one chart with selection and undo: every change of the list that is to be saved goes through here.
import { drawingsMax, type Drawing } from '#shared/market/drawings/drawing.ts'
import { nudged, type Nudge, type NudgeSteps } from '#shared/market/drawings/edit.ts'
import { historyOf, recorded, redone, undone, type History } from '#shared/market/drawings/history.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'

export interface SheetNeeds {
  readonly timeAfter: NudgeSteps['timeAfter']
  readonly tickSize: number
  /** The person has changed the drawings. */
  readonly onChange: (drawings: readonly Drawing[]) => void
  /** Said to whoever cannot see it. */
  readonly say: (sentence: string) => void
  readonly onFull: () => void
}

export interface DrawingSheet {
  readonly list: () => readonly Drawing[]
  readonly selected: () => Drawing | undefined
  readonly select: (id: string | undefined) => void
  /** Selects the drawing so many after the selected one, around the end; said to whoever cannot see it. */
  readonly step: (by: 1 | -1) => void
  readonly canUndo: () => boolean
  readonly canRedo: () => boolean
  /** Drawings from the server; the steps before them cannot be taken back. */
  readonly load: (drawings: readonly Drawing[]) => void
  readonly add: (made: Drawing) => void
  readonly change: (next: Drawing) => void
  readonly nudge: (by: Nudge) => void
  /** Lets the arrow keys move all of the selected drawing, or the next one of its ends. */
  readonly nextPart: () => void
  readonly undo: () => void
  readonly redo: () => void
  readonly removeSelected: () => void
  readonly removeAll: () => void
}

type Steps = History<readonly Drawing[]>

/** `tell` is called after every change of list or selection that is the sheet's own. */
export function drawingSheet(needs: SheetNeeds, tell: () => void): DrawingSheet {
  let history: Steps = historyOf<readonly Drawing[]>([])
  let selectedId: string | undefined
  /** Number of the anchor that the arrow keys move; undefined for all of them. */
  let part: number | undefined

  const list = () => history.present
  const selected = () => list().find(({ id }) => id === selectedId)

  function select(id: string | undefined): void {
    if (id === selectedId) return
    selectedId = id
    part = undefined
  }

  function turn(next: Steps): void {
    if (next === history) return
    history = next
    if (selected() === undefined) select(undefined)
    needs.onChange(list())
    tell()
  }

  const record = (next: readonly Drawing[]) => turn(recorded(history, next))

  function goTo(next: Steps, sentence: string): void {
    if (next === history) return
    turn(next)
    needs.say(sentence)
  }

  function change(next: Drawing): void {
    record(list().map((one) => (one.id === next.id ? next : one)))
  }

  function remove(rest: readonly Drawing[]): void {
    if (rest.length === list().length) return
    record(rest)
    needs.say(workspaceText.removed)
  }

  function step(by: 1 | -1): void {
    const { length } = list()
    const at = list().findIndex(({ id }) => id === selectedId)
    const next = list()[at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length]
    if (next === undefined) return needs.say(workspaceText.noDrawings)
    select(next.id)
    tell()
    return needs.say(workspaceText.selectedOf(workspaceText.toolNames[next.kind], list().indexOf(next) + 1, length))
  }

  return {
    list,
    selected,
    select,
    step,
    canUndo: () => history.past.length > 0,
    canRedo: () => history.future.length > 0,
    load(drawings) {
      history = historyOf(drawings)
      if (selected() === undefined) select(undefined)
      tell()
    },
    add(made) {
      if (list().length >= drawingsMax) {
        needs.onFull()
        return tell()
      }
      select(made.id)
      record([...list(), made])
      const name = workspaceText.toolNames[made.kind]
      needs.say(`${workspaceText.drawn(name)}. ${workspaceText.selected(name)}`)
    },
    change,
    nudge(by) {
      const one = selected()
      if (one !== undefined) change(nudged(one, by, { timeAfter: needs.timeAfter, tickSize: needs.tickSize, only: part }))
    },
    nextPart() {
      const count = selected()?.anchors.length ?? 0
      const next = part === undefined ? 0 : part + 1
      part = count < 2 || next >= count ? undefined : next
      needs.say(part === undefined ? workspaceText.movesAll : workspaceText.movesEnd(part + 1))
    },
    undo: () => goTo(undone(history), workspaceText.undone),
    redo: () => goTo(redone(history), workspaceText.redone),
    removeSelected: () => remove(list().filter(({ id }) => id !== selectedId)),
    removeAll: () => remove([]),
  }
}
