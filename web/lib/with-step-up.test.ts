// Which errors prompt for the password, which dialog prompts, and how often the call is made.
import { ApiError } from '#shared/http/api-error.ts'
import { afterEach, expect, test } from 'vitest'
import { registerStepUpPrompt, withStepUp } from './with-step-up.ts'

const sentence = 'Please confirm your password to continue'
const wanted = () => new ApiError(403, { message: sentence, code: 'admin.confirmPassword' })

let leaving: (() => void)[] = []

afterEach(() => {
  for (const leave of leaving) leave()
  leaving = []
})

/** Registers a dialog with this answer; returns the unregister function. */
function host(answer: boolean, onAsked: () => void = () => undefined): () => void {
  const leave = registerStepUpPrompt(() => {
    onAsked()
    return Promise.resolve(answer)
  })
  leaving.push(leave)
  return leave
}

/** A call that is rejected `refusals` times and then returns how often it was made. */
function callRejected(rejections: number, rejection: () => Error = wanted) {
  let calls = 0
  return async () => {
    calls += 1
    if (calls <= rejections) throw rejection()
    return calls
  }
}

test('a successful call does not prompt', async () => {
  const asked: string[] = []
  host(true, () => asked.push('host'))
  expect(await withStepUp(callRejected(0))).toBe(1)
  expect(asked).toEqual([])
})

test('the call is repeated once after the password', async () => {
  host(true)
  expect(await withStepUp(callRejected(1))).toBe(2)
  await expect(withStepUp(callRejected(2))).rejects.toThrow(sentence)
})

test('cancelling the prompt rejects with the original error', async () => {
  host(false)
  await expect(withStepUp(callRejected(1))).rejects.toThrow(sentence)
})

test('any other error does not prompt', async () => {
  host(true)
  await expect(withStepUp(callRejected(1, () => new ApiError(403, { message: 'No', code: 'other' })))).rejects.toThrow('No')
})

test('the latest dialog prompts, and none when all have been removed', async () => {
  const asked: string[] = []
  const leaveBelow = host(true, () => asked.push('below'))
  const leaveAbove = host(true, () => asked.push('above'))
  await withStepUp(callRejected(1))
  leaveAbove()
  await withStepUp(callRejected(1))
  leaveBelow()
  await expect(withStepUp(callRejected(1))).rejects.toThrow(sentence)
  expect(asked).toEqual(['above', 'below'])
})
