// The one connection to the PGlite thread, in the shape of a `pg` pool, with a time limit of its own.
import { Worker } from 'node:worker_threads'
import type { FromWorker, QueryAnswer, QueryFailure, ToWorker, WorkerStart } from './messages.ts'

/** PGlite ignores `statement_timeout`, so the thread is ended from outside; a crash is safe, see sync-fs.ts. */
const queryMs = 15_000
const startMs = 120_000

export interface PgliteThread {
  /** Flushes that one commit at the start caused; never 0. */
  readonly syncs: number
  query(query: string, parameters: readonly unknown[], limitMs?: number): Promise<QueryAnswer>
  /** True once the thread has been ended. */
  isGone(): boolean
  close(): Promise<void>
}

/** A database error as `pg` throws it: message, SQLSTATE in `code`, constraint name. */
class PgliteError extends Error {
  override readonly name = 'error'

  constructor(failure: QueryFailure) {
    super(failure.message)
    Object.assign(this, failure)
  }
}

/** Starts the thread on a directory. Throws when PGlite does not start or does not flush its commits. */
export async function startThread(directory: string): Promise<PgliteThread> {
  const workerData: WorkerStart = { directory }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, env: {} })
  let gone = false
  let hear: ((message: FromWorker) => void) | undefined
  const end = async (): Promise<void> => {
    hear = undefined
    await worker.terminate()
    gone = true
  }
  worker.on('message', (message: FromWorker) => hear?.(message))
  worker.on('error', (error: Error) => hear?.({ failed: error.message }))
  worker.on('exit', () => {
    gone = true
    hear?.({ failed: 'the thread has ended' })
  })

  /** One question at a time: the callers take turns in one-client-pool.ts. */
  const ask = (message: ToWorker | undefined, limitMs: number): Promise<FromWorker> =>
    new Promise((resolve, reject) => {
      const timer =
        limitMs > 0
          ? setTimeout(() => {
              // Only when the old thread is off the files may a new one open them.
              const late = new PgliteError({ message: 'canceling statement due to the time limit', code: '57014' })
              void end().finally(() => reject(late))
            }, limitMs)
          : undefined
      hear = (answer) => {
        clearTimeout(timer)
        hear = undefined
        resolve(answer)
      }
      if (gone) hear({ failed: 'the thread has ended' })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      else if (message) worker.postMessage(message)
    })

  const first = await ask(undefined, startMs)
  if (!('ready' in first)) {
    await end()
    throw new Error(`PGlite did not start: ${'failed' in first ? first.failed : 'unexpected answer'}`)
  }
  if (first.syncs === 0) {
    await end()
    throw new Error('PGlite does not flush its commits to the disk here, so it is not used; set DATABASE_URL to a PostgreSQL server')
  }
  return {
    syncs: first.syncs,
    isGone: () => gone,
    async query(query, parameters, limitMs = queryMs) {
      const answer = await ask({ query, parameters }, limitMs)
      if ('answer' in answer) return answer.answer
      if ('failure' in answer) throw new PgliteError(answer.failure)
      throw new PgliteError({ message: `PGlite stopped: ${'failed' in answer ? answer.failed : 'unexpected answer'}`, code: '57P01' })
    },
    async close() {
      if (!gone) await ask({ close: true }, startMs)
      await end()
    },
  }
}
