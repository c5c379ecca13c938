// Drawings of one chart with selection and undo history: every saved change of the list goes through here.
import { drawingsMax, type Drawing } from '#shared/drawings/drawing.ts'
import { nudged, type Nudge, type NudgeSteps } from '#shared/drawings/edit.ts'
import { historyOf, recorded, redone, undone, type History } from '#shared/drawings/history.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'

export interface DrawingListOptions {
  readonly timeAfter: NudgeSteps['timeAfter']
  readonly tickSize: number
  /** The user has changed the drawings. */
  readonly onChange: (drawings: readonly Drawing[]) => void
  /** Announces a sentence to screen readers. */
  readonly report: (sentence: string) => void
  readonly onFull: () => void
}

type Steps = History<readonly Drawing[]>

export class DrawingList {
  readonly #options: DrawingListOptions
  readonly #notify: () => void
  #history: Steps = historyOf<readonly Drawing[]>([])
  #selectedId: string | undefined
  /** Endpoint that the arrow keys move; undefined for the whole drawing. */
  #part: number | undefined

  /** The second argument is called after every change of list or selection that starts here. */
  constructor(options: DrawingListOptions, notify: () => void) {
    this.#options = options
    this.#notify = notify
  }

  get all(): readonly Drawing[] {
    return this.#history.present
  }

  get selected(): Drawing | undefined {
    return this.all.find(({ id }) => id === this.#selectedId)
  }

  get canUndo(): boolean {
    return this.#history.past.length > 0
  }

  get canRedo(): boolean {
    return this.#history.future.length > 0
  }

  select(id: string | undefined): void {
    if (id === this.#selectedId) return
    this.#selectedId = id
    this.#part = undefined
  }

  /** Moves the selection forward or back, around the end, and announces it. */
  step(by: 1 | -1): void {
    const { all } = this
    const at = all.findIndex(({ id }) => id === this.#selectedId)
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]
    if (next === undefined) return this.#options.report(workspaceText.noDrawings)
    this.select(next.id)
    this.#notify()
    const name = workspaceText.toolNames[next.kind]
    return this.#options.report(workspaceText.selectedOf(name, all.indexOf(next) + 1, all.length))
  }

  /** Loads drawings from the server and clears the undo history. */
  load(drawings: readonly Drawing[]): void {
    this.#history = historyOf(drawings)
    this.#keepSelection()
    this.#notify()
  }

  add(made: Drawing): void {
    if (this.all.length >= drawingsMax) {
      this.#options.onFull()
      this.#notify()
      return
    }
    this.select(made.id)
    this.#record([...this.all, made])
    const name = workspaceText.toolNames[made.kind]
    this.#options.report(`${workspaceText.drawn(name)}. ${workspaceText.selected(name)}`)
  }

  change(next: Drawing): void {
    this.#record(this.all.map((one) => (one.id === next.id ? next : one)))
  }

  nudge(by: Nudge): void {
    const { timeAfter, tickSize } = this.#options
    const one = this.selected
    if (one !== undefined) this.change(nudged(one, by, { timeAfter, tickSize, only: this.#part }))
  }

  /** Cycles what the arrow keys move: the whole selected drawing, or one endpoint. */
  nextPart(): void {
    const count = this.selected?.anchors.length ?? 0
    const next = this.#part === undefined ? 0 : this.#part + 1
    this.#part = count < 2 || next >= count ? undefined : next
    this.#options.report(this.#part === undefined ? workspaceText.movesAll : workspaceText.movesEnd(this.#part + 1))
  }

  undo(): void {
    this.#goTo(undone(this.#history), workspaceText.undone)
  }

  redo(): void {
    this.#goTo(redone(this.#history), workspaceText.redone)
  }

  removeSelected(): void {
    this.#remove(this.all.filter(({ id }) => id !== this.#selectedId))
  }

  removeAll(): void {
    this.#remove([])
  }

  #remove(rest: readonly Drawing[]): void {
    if (rest.length === this.all.length) return
    this.#record(rest)
    this.#options.report(workspaceText.removed)
  }

  #goTo(next: Steps, sentence: string): void {
    if (next === this.#history) return
    this.#turn(next)
    this.#options.report(sentence)
  }

  #record(next: readonly Drawing[]): void {
    this.#turn(recorded(this.#history, next))
  }

  #turn(next: Steps): void {
    if (next === this.#history) return
    this.#history = next
    this.#keepSelection()
    this.#options.onChange(this.all)
    this.#notify()
  }

  /** Clears a selection whose drawing is gone. */
  #keepSelection(): void {
    if (this.selected === undefined) this.select(undefined)
  }
}
