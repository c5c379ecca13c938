// Which refusals ask for the password, who is asked, and how often the call is made.
import { ApiError } from '#shared/http/errors.ts'
import { afterEach, expect, test } from 'vitest'
import { hostStepUp, withStepUp } from './step-up.ts'

const sentence = 'Please confirm your password to continue'
const wanted = () => new ApiError(403, { message: sentence, code: 'auth.confirm-password' })

let leaving: (() => void)[] = []

afterEach(() => {
  for (const leave of leaving) leave()
  leaving = []
})

/** A dialog that answers so; returns the way to take it off the page. */
function host(answer: boolean, onAsked: () => void = () => undefined): () => void {
  const leave = hostStepUp(() => {
    onAsked()
    return Promise.resolve(answer)
  })
  leaving.push(leave)
  return leave
}

/** A call that is refused `refusals` times and then answers how often it was made. */
function callRefused(refusals: number, refusal: () => Error = wanted) {
  let calls = 0
  return async () => {
    calls += 1
    if (calls <= refusals) throw refusal()
    return calls
  }
}

test('a call that is not refused asks nobody', async () => {
  const asked: string[] = []
  host(true, () => asked.push('host'))
  expect(await withStepUp(callRefused(0))).toBe(1)
  expect(asked).toEqual([])
})

test('the call is repeated once after the password', async () => {
  host(true)
  expect(await withStepUp(callRefused(1))).toBe(2)
  await expect(withStepUp(callRefused(2))).rejects.toThrow(sentence)
})

test('who gives up gets the refusal', async () => {
  host(false)
  await expect(withStepUp(callRefused(1))).rejects.toThrow(sentence)
})

test('another refusal asks nobody', async () => {
  host(true)
  await expect(withStepUp(callRefused(1, () => new ApiError(403, { message: 'No', code: 'other' })))).rejects.toThrow('No')
})

test('the dialog that came last is asked, and none when all have gone', async () => {
  const asked: string[] = []
  const leaveBelow = host(true, () => asked.push('below'))
  const leaveAbove = host(true, () => asked.push('above'))
  await withStepUp(callRefused(1))
  leaveAbove()
  await withStepUp(callRefused(1))
  leaveBelow()
  await expect(withStepUp(callRefused(1))).rejects.toThrow(sentence)
  expect(asked).toEqual(['above', 'below'])
})
