// Budget of one user for candles over HTTP: bars and bytes over time, and calls in progress.
import type { ServerResponse } from 'node:http'
import { tokenBucket, type TokenBucket } from '#server/features/market-data/token-bucket.ts'
import { AppError } from '#shared/http/app-error.ts'

/** Sixty pages at once, as requested by four charts with intrabars, and one per second after that. */
const barsAtOnce = 300_000
const barsPerSecond = 5_000
/** Minimum cost of a call, in bars. */
const barsMin = 100
const bytesAtOnce = 24 * 1024 * 1024
const bytesPerSecond = 2 * 1024 * 1024
const runningMax = 4
const waitingMax = 32

export interface BudgetedCall {
  readonly userId: string
  /** Maximum number of bars requested. */
  readonly bars: number
  /** Counts as running until this is sent or its connection is closed. */
  readonly response: ServerResponse
}

export type CandleBudget = ReturnType<typeof candleBudget>

interface UserCalls {
  readonly bars: TokenBucket
  readonly bytes: TokenBucket
  readonly waiting: (() => void)[]
  running: number
}

export function candleBudget(monotonic: () => number) {
  const users = new Map<string, UserCalls>()

  const newUser = (): UserCalls => ({
    bars: tokenBucket({ size: barsAtOnce, perSecond: barsPerSecond, monotonic }),
    bytes: tokenBucket({ size: bytesAtOnce, perSecond: bytesPerSecond, monotonic }),
    waiting: [],
    running: 0,
  })

  function userOf(id: string): UserCalls {
    const user = users.get(id) ?? newUser()
    // A full budget needs no entry.
    if (users.size > 10_000)
      for (const [other, { running, bars, bytes }] of users) if (running === 0 && bars.isFull && bytes.isFull) users.delete(other)
    users.set(id, user)
    return user
  }

  function admit(user: UserCalls, bars: number): void {
    if (user.waiting.length >= waitingMax) throw tooMany(1_000)
    const waitMs = Math.max(user.bytes.waitMs(1), user.bars.waitMs(bars))
    if (waitMs > 0) throw tooMany(waitMs)
    user.bars.spend(bars)
  }

  return {
    /**
     * Runs a call while fewer than four of the user's are running.
     * @throws AppError too-many if the budget is used up or too many calls wait
     */
    async run<T>({ userId, bars, response }: BudgetedCall, work: () => Promise<T>): Promise<T> {
      const user = userOf(userId)
      admit(user, Math.max(barsMin, bars))
      if (user.running >= runningMax) await new Promise<void>((resolve) => user.waiting.push(resolve))
      user.running += 1
      onceOver(response, () => {
        user.running -= 1
        user.waiting.shift()?.()
      })
      // The client is gone.
      if (response.req.socket.destroyed) throw new AppError('unavailable', 'http.busy')
      const body = await work()
      user.bytes.spend(sizeOf(body))
      return body
    },
  }
}

/** For tests and benchmarks of the code behind it. */
export const noCandleBudget: CandleBudget = { run: (_call, work) => work() }

/** A response queued behind others of its connection gets no close event of its own. */
function onceOver(response: ServerResponse, run: () => void): void {
  const { socket } = response.req
  const over = (): void => {
    response.off('close', over)
    response.off('finish', over)
    socket.off('close', over)
    run()
  }
  if (socket.destroyed) return void setImmediate(run)
  response.on('close', over)
  response.on('finish', over)
  socket.on('close', over)
}

/** Bytes of a body in pieces, also of a page. */
function sizeOf(body: unknown): number {
  if (typeof body === 'object' && body !== null && 'pieces' in body) return sizeOf(body.pieces)
  if (!Array.isArray(body)) return 0
  return body.reduce((sum: number, piece: unknown) => sum + (Buffer.isBuffer(piece) ? piece.length : 0), 0)
}

function tooMany(waitMs: number): AppError {
  return new AppError('too-many', 'http.tooMany', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}
