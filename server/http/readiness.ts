// Whether this process can serve, and which components are missing.
import type { FastifyInstance } from 'fastify'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import type { Drain } from './listener.ts'

export const missingNames = ['database', 'writes', 'redis', 'market-hub', 'prices'] as const

export type MissingName = (typeof missingNames)[number]

export interface ReadinessReport {
  readonly status: 'ready' | 'not-ready' | 'starting' | 'stopping'
  /** Also for a ready process: optional components that are down. */
  readonly missing: readonly MissingName[]
}

export type Readiness = () => Promise<ReadinessReport>

interface ReadinessOptions {
  /** Each resolves to whether the component is available; a rejection means that it is not. */
  readonly checks: Readonly<Record<MissingName, () => boolean | Promise<boolean>>>
  /** Without these the process is not ready. */
  readonly required: ReadonlySet<MissingName>
  readonly onError: (error: unknown) => void
}

/** Runs all checks concurrently. */
export function readinessOf({ checks, required, onError }: ReadinessOptions): Readiness {
  return async () => {
    const names = Object.keys(checks) as MissingName[]
    const isAvailable = await Promise.all(
      names.map(async (name) => {
        try {
          return await checks[name]()
        } catch (error) {
          onError(error)
          return false
        }
      }),
    )
    const missing = names.filter((_, index) => isAvailable[index] === false)
    return { status: missing.some((name) => required.has(name)) ? 'not-ready' : 'ready', missing }
  }
}

/** Health checks for load balancers: liveness and readiness. */
export function serveHealth(
  app: FastifyInstance,
  { readiness, drain }: { readonly readiness: Readiness; readonly drain: Drain | undefined },
): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    if (drain?.isDraining === true) throw new AppError('unavailable', 'http.stopping', { retryAfterSeconds: 1 })
    const { status, missing } = await readiness()
    if (status !== 'ready') {
      const problem = problemOf(new AppError('unavailable', 'http.busy'), request.id)
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({ ...problem, missing })
    }
    // Reading works, so the process stays in the balance.
    const absent = missing.filter((name) => name !== 'writes')
    return { status, ...(missing.includes('writes') && { writes: 'failing' }), ...(absent.length > 0 && { missing: absent }) }
  })
}
