// Undo and redo history of any value: past, present and future.
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  /** Redo steps, next one first. */
  readonly future: readonly T[]
}

/** Maximum number of undo steps. */
export const stepsMax = 100

export function historyOf<T>(present: T): History<T> {
  return { past: [], present, future: [] }
}

/** Records a new value and clears the redo steps. The same value is not a step. */
export function recorded<T>(history: History<T>, next: T): History<T> {
  if (Object.is(next, history.present)) return history
  return { past: [...history.past, history.present].slice(-stepsMax), present: next, future: [] }
}

/** One step back; unchanged if there is none. */
export function undone<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history
  return {
    past: history.past.slice(0, -1),
    present: history.past.at(-1) as T,
    future: [history.present, ...history.future],
  }
}

/** One step forward; unchanged if there is none. */
export function redone<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history
  return { past: [...history.past, history.present], present: history.future[0] as T, future: history.future.slice(1) }
}
