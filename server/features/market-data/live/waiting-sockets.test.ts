// The bound of sockets of one address whose cookies are not verified yet.
import { expect, test, vi } from 'vitest'
import { WaitingSockets, type WaitingSocket } from './waiting-sockets.ts'

const socket = () => ({ end: vi.fn<WaitingSocket['end']>(), terminate: vi.fn<WaitingSocket['terminate']>() })

test('the one that has waited longest is closed for the thousand and first, and no other', async () => {
  const onError = (error: unknown): never => expect.unreachable(String(error))
  const judgement = Promise.withResolvers<boolean>()
  const waiting = new WaitingSockets({ isKnown: () => judgement.promise, onError })
  const all = Array.from({ length: 1_000 }, socket)
  for (const [index, each] of all.entries()) waiting.add(each, { cookie: `cookie ${index}`, address: '198.51.100.7' })
  expect(all.filter(({ terminate }) => terminate.mock.calls.length > 0)).toEqual([])
  waiting.add(socket(), { cookie: 'of another address', address: '198.51.100.8' })
  expect(all[0]?.terminate).not.toHaveBeenCalled()
  waiting.add(socket(), { cookie: 'one more', address: '198.51.100.7' })
  expect(all.flatMap(({ terminate }, index) => (terminate.mock.calls.length > 0 ? [index] : []))).toEqual([0])

  judgement.resolve(true)
  await judgement.promise
  waiting.add(socket(), { cookie: 'after the judgement', address: '198.51.100.7' })
  expect(all[1]?.terminate).not.toHaveBeenCalled()
  expect(waiting.evictStranger()).toBe(true)
})
