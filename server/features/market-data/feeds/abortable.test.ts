// Shared work that one of its callers aborts.
import { describe, expect, it } from 'vitest'
import { abortable } from './abortable.ts'

describe('a shared promise', () => {
  it('is not awaited by a caller that has already aborted', async () => {
    await expect(abortable(Promise.resolve(1), AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  })

  it('that fails after its only caller has left is not an unhandled rejection', async () => {
    const work = Promise.reject(new Error('failed'))
    await expect(abortable(work, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  })

  it('rejects for the caller that aborts and continues for the other', async () => {
    const work = Promise.withResolvers<number>()
    const leave = new AbortController()
    const [one, other] = [abortable(work.promise, leave.signal), abortable(work.promise, undefined)]
    leave.abort(new Error('left'))
    await expect(one).rejects.toThrow('left')
    work.resolve(7)
    expect(await other).toBe(7)
  })

  it.each([undefined, new AbortController().signal])('settles for the remaining callers', async (signal) => {
    expect(await abortable(Promise.resolve(7), signal)).toBe(7)
    await expect(abortable(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
  })
})
