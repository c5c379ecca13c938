// Whether this process can serve, and which components are missing.

export const missingNames = ['database', 'writes', 'redis', 'market-hub', 'prices'] as const

export type MissingName = (typeof missingNames)[number]

export interface ReadinessReport {
  readonly status: 'ready' | 'not-ready' | 'starting' | 'stopping'
  /** Also for a ready process: optional components that are down. */
  readonly missing: readonly MissingName[]
}

export type Readiness = () => Promise<ReadinessReport>

/** Resolves to whether the component is available; a rejection means that it is not. */
type Check = () => boolean | Promise<boolean>

export interface ReadinessOptions {
  readonly checks: Readonly<Record<MissingName, Check>>
  /** Without these the process is not ready. */
  readonly required: ReadonlySet<MissingName>
  readonly onError: (error: unknown) => void
}

/** Runs all checks concurrently. */
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
