// What processes on one Redis report about the active hub, while hubs start and stop.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RedisBusClient } from './redis-bus-client.ts'
import { RedisSubscriber } from './redis-subscriber.ts'
import { RedisPublisher } from './redis-publisher.ts'
import { memoryBus, hubPlaceOf } from './market-bus.ts'
import { openRedis } from '#server/outages/open-redis.ts'

const redisUrl = process.env['TEST_REDIS_URL']
if (redisUrl === undefined) throw new Error('TEST_REDIS_URL is needed beside TEST_DATABASE_URL')

const longTimeout = { timeout: 15_000 }

test('without Redis it is here', () => {
  const { bus, hub } = memoryBus()
  expect(hubPlaceOf(bus, hub)).toBe('here')
})

test('one hub is active, the next is on standby and takes over, and without any the hub is away', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const onError = (error: Error): void => void errors.push(error)
  const bus = new RedisSubscriber(redisUrl, onError, channel)
  onTestFinished(() => bus.close())
  await expect.poll(() => hubPlaceOf(bus, undefined), longTimeout).toBe('silent')

  const first = new RedisPublisher(redisUrl, onError, channel)
  await expect.poll(() => hubPlaceOf(bus, first), longTimeout).toBe('here')
  await expect.poll(() => hubPlaceOf(bus, undefined), longTimeout).toBe('elsewhere')

  const second = new RedisPublisher(redisUrl, onError, channel)
  onTestFinished(() => second.close())
  expect(hubPlaceOf(bus, second)).toBe('standby')
  await first.close()
  await expect.poll(() => hubPlaceOf(bus, second), longTimeout).toBe('here')
  expect(errors).toEqual([])
})

test('a call that its own end has cut is not an error', async () => {
  const errors: Error[] = []
  const client = new RedisBusClient(redisUrl, (error) => errors.push(error), `test-${randomUUID()}`)
  const call = client.nowMs()
  client.attempt(call)
  client.disconnect()
  await expect(call).rejects.toThrow('Connection is closed')
  await setImmediate()
  expect(errors).toEqual([])
})

test('a host whose clock is 20 seconds behind is served like any other', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const onError = (error: Error): void => void errors.push(error)
  const hub = new RedisPublisher(redisUrl, onError, channel)
  onTestFinished(() => hub.close())
  const wanted = new Set<string>()
  hub.onRequested((series) => {
    for (const each of series) wanted.add(each)
  })
  const bus = new RedisSubscriber(redisUrl, onError, channel)
  onTestFinished(() => bus.close())
  await expect.poll(() => hubPlaceOf(bus, hub), longTimeout).toBe('here')
  // Connected: it sends its requests again when it connects.
  await bus.state('nifty')
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 20_000)
  onTestFinished(() => void vi.restoreAllMocks())
  bus.request('nifty')
  vi.restoreAllMocks()
  // Before the host sends it again.
  await expect.poll(() => [...wanted], { timeout: 2_500 }).toEqual(['nifty'])
  expect(errors).toEqual([])
})

test('a message that cannot be read is reported, and the next one is received', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const bus = new RedisSubscriber(redisUrl, (error) => void errors.push(error), channel)
  const other = openRedis(redisUrl, { retryStrategy: () => null, connectTimeout: 5_000 })
  onTestFinished(async () => {
    await bus.close()
    other.disconnect()
  })
  await expect.poll(() => other.publish(`${channel}:alive`, ''), longTimeout).toBe(1)
  const received: unknown[] = []
  bus.subscribe('nifty', { update: (update) => void received.push(update), lost: () => undefined, away: () => undefined })
  await expect.poll(() => other.publish(`${channel}:update:nifty`, '{"cut'), longTimeout).toBe(1)
  await other.publish(`${channel}:update:nifty`, '{"series":"nifty"}')
  await expect.poll(() => received, longTimeout).toEqual([{ series: 'nifty' }])
  expect(errors).toMatchObject([{ name: 'SyntaxError' }])
})
