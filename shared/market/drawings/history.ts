// Undo and redo of any value: what was before, what is, and what was taken back.
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  /** What redo brings back, the next one first. */
  readonly future: readonly T[]
}

/** Steps that can be taken back. */
export const stepsMax = 100

export function historyOf<T>(present: T): History<T> {
  return { past: [], present, future: [] }
}

/** A new value; what was taken back before is gone. The same value is no step. */
export function recorded<T>(history: History<T>, next: T): History<T> {
  if (Object.is(next, history.present)) return history
  return { past: [...history.past, history.present].slice(-stepsMax), present: next, future: [] }
}

/** One step back; the same where there is none. */
export function undone<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history
  return {
    past: history.past.slice(0, -1),
    present: history.past.at(-1) as T,
    future: [history.present, ...history.future],
  }
}

/** One step forward again; the same where there is none. */
export function redone<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history
  return { past: [...history.past, history.present], present: history.future[0] as T, future: history.future.slice(1) }
}
