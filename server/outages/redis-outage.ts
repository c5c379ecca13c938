// Failed Redis calls: distinguishes outages from bugs.
import type { ChainableCommander } from 'ioredis'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { OutageError } from './outage.ts'

const retryLimits = { firstMs: 100, maxMs: 2_000 }

const driverNames = new Set(['MaxRetriesPerRequestError', 'AbortError'])
const driverTexts = new Set([
  'Command timed out',
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
])
/** Replies about the command itself; the others (LOADING, OOM, READONLY, NOAUTH, EXECABORT ...) are about the server. */
const mistakes = /^(ERR|WRONGTYPE|NOSCRIPT) /

/** Delay before the next connection attempt, for ioredis, which counts attempts from 1. */
export function redisRetryDelayMs(attempt: number, random = Math.random()): number {
  return backOffDelayMs(attempt - 1, retryLimits, random)
}

/** The error to pass on: an `OutageError` if Redis or its connection failed. */
export function redisFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const isReply = error.name === 'ReplyError' && !mistakes.test(error.message)
  const isLine = 'syscall' in error || driverNames.has(error.name) || driverTexts.has(error.message)
  return isReply || isLine ? new OutageError('redis', error) : error
}

/** The result of a call. @throws OutageError while Redis is down */
export function redisCall<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw redisFailure(error)
  })
}

/** Runs a transaction; a failed command in it rejects the call. @throws OutageError while Redis is down */
export async function redisExec(transaction: ChainableCommander): Promise<unknown[]> {
  return ((await redisCall(transaction.exec())) ?? []).map(([error, reply]) => {
    if (error !== null) throw redisFailure(error)
    return reply
  })
}
