// Rejects strings that no column or screen can hold: NUL and broken surrogate pairs, anywhere in a request.
import { AppError } from '#shared/http/app-error.ts'

/**
 * Walks a parsed JSON value without recursion, so that depth cannot exhaust the stack.
 * @throws AppError invalid if a string (or key) contains NUL or a lone surrogate
 */
export function rejectInvalidUnicode(value: unknown): void {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (next.includes('\u0000') || !next.isWellFormed()) throw new AppError('invalid', 'http.badRequest')
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) pending.push(key, member)
    }
  }
}
