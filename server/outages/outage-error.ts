// Outages of the database and of Redis: one error that names the component, and their log lines.

export type Component = 'database' | 'redis'

/** A component is temporarily unavailable. The same call may succeed later; a bug is never an outage. */
export class OutageError extends Error {
  override readonly name = 'OutageError'
  readonly component: Component

  constructor(component: Component, cause: unknown) {
    super(`${component} unavailable: ${reasonOf(cause)}`, { cause })
    this.component = component
  }
}

/** A connection error for all addresses of a name has a code and no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message, code } = cause as Error & { code?: string }
  return message || code || cause.name
}

/** Outages repeat with every attempt; log one line per interval. */
const repeatMs = 10_000

/**
 * Logs errors of background work. An outage is one line that names the component, at most once in 10 seconds for each;
 * anything else is logged with its stack.
 */
export function failureLog(log: { error(details: object, line: string): void }): (error: unknown, line?: string) => void {
  const lastMs = new Map<Component, number>()
  return (error, line = 'background work failed') => {
    if (!(error instanceof OutageError)) {
      log.error({ err: error }, line)
      return
    }
    const nowMs = performance.now()
    if (nowMs - (lastMs.get(error.component) ?? -Infinity) < repeatMs) return
    lastMs.set(error.component, nowMs)
    log.error({ component: error.component }, error.message)
  }
}
