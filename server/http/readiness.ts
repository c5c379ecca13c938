// Whether this process can serve, and what it misses, by name.

export type MissingName = 'database' | 'redis' | 'market-hub'

export interface ReadinessReport {
  readonly status: 'ready' | 'not-ready' | 'starting' | 'stopping'
  /** Also of a process that is ready: what it can do without for a while. */
  readonly missing: readonly MissingName[]
}

export type Readiness = () => Promise<ReadinessReport>

/** Answers whether it is there; a rejection means that it is not. */
type Check = () => boolean | Promise<boolean>

export interface ReadinessOptions {
  readonly checks: Readonly<Record<MissingName, Check>>
  /** Without these the process is not ready. */
  readonly required: ReadonlySet<MissingName>
  readonly onError: (error: unknown) => void
}

/** Runs all checks at the same time. */
export function readinessOf({ checks, required, onError }: ReadinessOptions): Readiness {
  return async () => {
    const names = Object.keys(checks) as MissingName[]
    const isThere = await Promise.all(
      names.map(async (name) => {
        try {
          return await checks[name]()
        } catch (error) {
          onError(error)
          return false
        }
      }),
    )
    const missing = names.filter((_, index) => isThere[index] === false)
    return { status: missing.some((name) => required.has(name)) ? 'not-ready' : 'ready', missing }
  }
}
