// What load balancers ask: whether the process lives, and whether it can serve.
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'
import type { Drain } from './listener.ts'

export interface HealthOptions {
  /** Rejects within 2 seconds when the database does not answer. */
  readonly ping: () => Promise<void>
  readonly onError: (error: unknown) => void
  readonly drain: Drain | undefined
  /** What is unsafe in the configuration. */
  readonly warnings: readonly string[]
}

export function serveHealth(app: FastifyInstance, { ping, onError, drain, warnings }: HealthOptions): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (drain?.isDraining === true) throw new AppError('unavailable', httpText.stopping, { code: 'http.stopping', retryAfterSeconds: 1 })
    try {
      await ping()
    } catch (error) {
      onError(error)
      throw new AppError('unavailable', httpText.busy, { code: 'http.not-ready', retryAfterSeconds: 2 })
    }
    return { status: 'ready', ...(warnings.length === 0 ? {} : { warnings }) }
  })
}
