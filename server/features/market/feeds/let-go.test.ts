// Shared work that one of its callers leaves.
import { describe, expect, it } from 'vitest'
import { letGo } from './let-go.ts'

describe('work that several wait for', () => {
  it('is not waited for by who has left already', async () => {
    await expect(letGo(Promise.resolve(1), AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  })

  it('lets one leave and goes on for the other', async () => {
    const work = Promise.withResolvers<number>()
    const leave = new AbortController()
    const [one, other] = [letGo(work.promise, leave.signal), letGo(work.promise, undefined)]
    leave.abort(new Error('left'))
    await expect(one).rejects.toThrow('left')
    work.resolve(7)
    expect(await other).toBe(7)
  })

  it.each([undefined, new AbortController().signal])('gives its outcome to who stays', async (signal) => {
    expect(await letGo(Promise.resolve(7), signal)).toBe(7)
    await expect(letGo(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
  })
})
