// The budget of bytes of a user's own server.
import { expect, test } from 'vitest'
import { meteredFetch } from './broker-feed.ts'

test('answers pass unchanged until the budget is used up, and again when it is filled', async () => {
  let nowMs = 0
  const call = () => Promise.resolve(new Response('x'.repeat(100), { status: 429, headers: { 'retry-after': '7' } }))
  const metered = meteredFetch(call, { size: 150, perSecond: 10, monotonic: () => nowMs })
  for (let time = 0; time < 2; time += 1) {
    const answer = await metered('https://algo.example.in/')
    expect([answer.status, answer.headers.get('retry-after'), (await answer.text()).length]).toEqual([429, '7', 100])
  }
  await expect(metered('https://algo.example.in/')).rejects.toThrow('too much')
  nowMs += 6_000
  expect((await metered('https://algo.example.in/')).status).toBe(429)
})

test('an answer without a body passes', async () => {
  const metered = meteredFetch(() => Promise.resolve(new Response(null, { status: 204 })), { size: 1, perSecond: 1, monotonic: () => 0 })
  expect((await metered('https://algo.example.in/')).status).toBe(204)
})
