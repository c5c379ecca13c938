// From one loop to a state: all bars, added bars and a changed last bar run through the same code, so they cannot differ.
import { type LevelList, type PointList } from './lists.ts'
import { type Provenance } from './provenance.ts'
import { type StudyContext, type StudyState } from './study.ts'

export interface StudyParts {
  readonly columns?: Record<string, Float64Array>
  readonly grow?: (capacity: number) => void
  readonly levels?: LevelList
  readonly points?: PointList
  readonly provenance: () => Provenance
  /** Forgets every bar. */
  readonly reset: () => void
  /**
   * Computes the bars from `from` up to `to`, after all earlier ones are closed. Only if `isClosed` may it remember
   * them: the forming bar comes again and again.
   */
  readonly run: (from: number, to: number, isClosed: boolean) => void
}

/** The state of a study made of its loop; see StudyState for how it is used. */
export function incrementalState({ bars }: StudyContext, parts: StudyParts): StudyState {
  const { columns = {}, grow, run, reset } = parts
  let closedCount = 0
  const advance = () => {
    const last = bars.length - 1
    grow?.(bars.close.length)
    if (last < 0) return
    if (last > closedCount) run(closedCount, last, true)
    closedCount = last
    run(last, last + 1, false)
  }
  const full = () => {
    reset()
    closedCount = 0
    advance()
  }
  const append = () => (bars.length - 1 < closedCount ? full() : advance())
  reset()
  return {
    columns,
    levels: parts.levels ?? null,
    points: parts.points ?? null,
    get provenance() {
      return parts.provenance()
    },
    full,
    append,
    replaceLast: () => {
      if (closedCount === bars.length - 1) run(closedCount, closedCount + 1, false)
      else append()
    },
  }
}
