// Builds a study state from one loop: full, appended and replaced bars run through the same code, so that they cannot differ.
import { type LevelList } from './level-list.ts'
import { type PointList } from './point-list.ts'
import { type Provenance } from './provenance.ts'
import { type StudyContext, type StudyState } from './study.ts'

export interface StudyParts {
  readonly columns?: Record<string, Float64Array>
  readonly grow?: (capacity: number) => void
  readonly levels?: LevelList
  readonly points?: PointList
  readonly provenance: () => Provenance
  /** Clears all state. */
  readonly reset: () => void
  /**
   * Computes the bars `from` up to `to`, after all earlier ones are closed. It may keep state only if `isClosed`:
   * the forming bar is computed again and again.
   */
  readonly run: (from: number, to: number, isClosed: boolean) => void
}

/** State of a study, made from its loop; see StudyState for its use. */
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
