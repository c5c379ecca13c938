// A process that replaced stored candles, such as `npx tezi verify-candles`, notifies the hub over Redis.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { RedisSubscriber } from './redis-subscriber.ts'
import { RedisPublisher } from './redis-publisher.ts'

const redisUrl = process.env['TEST_REDIS_URL']
if (redisUrl === undefined) throw new Error('TEST_REDIS_URL is needed beside TEST_DATABASE_URL')

const longTimeout = { timeout: 15_000 }

test('the hub is notified by another process, and still receives subscriptions', async () => {
  const channel = `test-${randomUUID()}`
  const errors: Error[] = []
  const onError = (error: Error): void => void errors.push(error)
  const hub = new RedisPublisher(redisUrl, onError, channel)
  onTestFinished(() => hub.close())
  const replaced: string[] = []
  const wanted = new Set<string>()
  hub.onReplaced((series) => void replaced.push(series))
  hub.onWanted((series) => {
    for (const each of series) wanted.add(each)
  })
  await expect.poll(() => hub.isAtWork(), longTimeout).toBe(true)

  const command = new RedisSubscriber(redisUrl, onError, channel)
  onTestFinished(() => command.close())
  // The hub may not have subscribed yet.
  await expect.poll(async () => (await command.replaced('btc-usdt'), replaced[0]), longTimeout).toBe('btc-usdt')
  command.want('nifty')
  await expect.poll(() => [...wanted], longTimeout).toEqual(['nifty'])
  expect(errors).toEqual([])
})

test('a notification fails while Redis is away', async () => {
  const command = new RedisSubscriber('redis://127.0.0.1:1', () => undefined, 'test')
  onTestFinished(() => command.close())
  await expect(command.replaced('btc-usdt')).rejects.toThrow('redis unavailable')
})
