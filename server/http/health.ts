// Health checks for load balancers: liveness and readiness.
import type { FastifyInstance } from 'fastify'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import type { Drain } from './listener.ts'
import type { Readiness } from './readiness.ts'

export interface HealthOptions {
  readonly readiness: Readiness
  readonly drain: Drain | undefined
}

export function serveHealth(app: FastifyInstance, { readiness, drain }: HealthOptions): void {
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
