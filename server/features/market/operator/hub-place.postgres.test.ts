// What processes on one Redis say about who makes the data, while hubs come and go.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { redisBus } from '../gateway/bus-redis.ts'
import { redisHubBus } from '../gateway/hub-bus-redis.ts'
import { memoryBus } from '../gateway/bus-memory.ts'
import { hubPlaceOf } from './hub-place.ts'

const redisUrl = process.env['TEST_REDIS_URL']
if (redisUrl === undefined) throw new Error('TEST_REDIS_URL is needed beside TEST_DATABASE_URL')

const patience = { timeout: 15_000 }

test('without Redis it is here', () => {
  const { bus, hub } = memoryBus()
  expect(hubPlaceOf(bus, hub)).toBe('here')
})

test('one hub is at work, the next stands by and takes over, and without any nobody answers', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const onError = (error: Error): void => void errors.push(error)
  const bus = redisBus(redisUrl, onError, channel)
  onTestFinished(() => bus.close())
  await expect.poll(() => hubPlaceOf(bus, undefined), patience).toBe('silent')

  const first = redisHubBus(redisUrl, onError, channel)
  await expect.poll(() => hubPlaceOf(bus, first), patience).toBe('here')
  await expect.poll(() => hubPlaceOf(bus, undefined), patience).toBe('elsewhere')

  const second = redisHubBus(redisUrl, onError, channel)
  onTestFinished(() => second.close())
  expect(hubPlaceOf(bus, second)).toBe('standby')
  await first.close()
  await expect.poll(() => hubPlaceOf(bus, second), patience).toBe('here')
  expect(errors).toEqual([])
})

test('a host whose clock is 20 seconds behind is served like any other', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const onError = (error: Error): void => void errors.push(error)
  const hub = redisHubBus(redisUrl, onError, channel)
  onTestFinished(() => hub.close())
  const wanted = new Set<string>()
  hub.onWanted((series) => {
    for (const each of series) wanted.add(each)
  })
  const bus = redisBus(redisUrl, onError, channel)
  onTestFinished(() => bus.close())
  await expect.poll(() => hubPlaceOf(bus, hub), patience).toBe('here')
  // Connected: it says what it wants again when it connects.
  await bus.state('nifty')
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 20_000)
  onTestFinished(() => void vi.restoreAllMocks())
  bus.want('nifty')
  vi.restoreAllMocks()
  // Before the host says it again.
  await expect.poll(() => [...wanted], { timeout: 2_500 }).toEqual(['nifty'])
  expect(errors).toEqual([])
})
