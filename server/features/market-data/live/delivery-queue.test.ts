// The queue of sockets that wait for candles.
import { expect, test, vi } from 'vitest'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { deliveryQueue, type Delivery } from './delivery-queue.ts'

test('a socket whose delivery fails is reported, and the next one is served', async () => {
  const onError = vi.fn<(error: unknown) => void>()
  const queue = deliveryQueue(manualClock(0), onError)
  const deliverNext = vi.fn<() => Delivery>(() => 'done')
  queue.add({
    userId: 'asha',
    nextCost: 1,
    deliverNext() {
      throw new Error('broken')
    },
  })
  queue.add({ userId: 'ravi', nextCost: 1, deliverNext })
  await expect.poll(() => deliverNext.mock.calls).toHaveLength(1)
  expect(onError.mock.calls).toEqual([[new Error('broken')]])
  queue.close()
})
