// The queue of sockets that wait for candles: failures, the order of service as tables, and the maximum wait as a property.
import { expect, test, vi, describe, it } from 'vitest'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { deliveryQueue, fairQueue, type Delivery } from './delivery-queue.ts'
import { assertProperty, fc } from '#testing/property.ts'

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

interface Item {
  readonly owner: string
  readonly number: number
  readonly cost: number
}

const quantum = 100

/** Items such as `a1:300`: the owner, a number, and the cost, 100 by default. */
function queueOf(...texts: readonly string[]) {
  const queue = fairQueue<Item>({ quantum, costOf: ({ cost }) => cost })
  const add = (text: string): void => {
    const [, owner = '', number = '', cost = '100'] = /^([a-z])(\d+)(?::(\d+))?$/.exec(text) ?? []
    queue.add(owner, { owner, number: Number(number), cost: Number(cost) })
  }
  texts.forEach(add)
  return { queue, add }
}

function drain(queue: ReturnType<typeof queueOf>['queue']): string {
  const served: string[] = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) served.push(`${item.owner}${item.number}`)
  return served.join(' ')
}

describe('the order of service', () => {
  it.each([
    ['an owner alone is served in order', 'a1 a2 a3', 'a1 a2 a3'],
    ['owners take turns', 'a1 a2 a3 b1 c1', 'a1 b1 c1 a2 a3'],
    ['cheap items are served several times per turn', 'a1:50 a2:50 a3:50 b1:50 b2:50 b3:50', 'a1 a2 b1 b2 a3 b3'],
    ['expensive items wait for several turns', 'a1:300 b1 c1', 'b1 c1 a1'],
    ['items without a cost use up nothing', 'a1:0 a2:100 b1', 'a1 a2 b1'],
  ])('%s', (_name, added, served) => {
    const { queue } = queueOf(...added.split(' '))
    expect(drain(queue)).toBe(served)
    expect(queue.isEmpty).toBe(true)
  })

  it('a late owner waits for one turn of each other owner', () => {
    const { queue, add } = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2')
    expect(queue.next()).toMatchObject({ owner: 'a', number: 1 })
    add('c1')
    expect(drain(queue)).toBe('b1 c1 a2 b2 a3 a4')
  })

  it('an item that is already queued keeps its place', () => {
    const queue = fairQueue<string>({ quantum, costOf: () => 100 })
    for (const item of ['one', 'two', 'one']) queue.add('a', item)
    expect([queue.next(), queue.next(), queue.next()]).toEqual(['one', 'two', undefined])
  })

  it('credit of an owner whose queue ran empty expires', () => {
    const { queue, add } = queueOf('a1:10')
    queue.next()
    add('a2:100')
    add('a3:50')
    add('b1')
    expect(drain(queue)).toBe('a2 b1 a3')
  })

  it('nothing is left after a clear', () => {
    const { queue } = queueOf('a1', 'b1')
    queue.clear()
    expect(queue.isEmpty).toBe(true)
    expect(queue.next()).toBeUndefined()
  })
})

describe('for any backlog of others', () => {
  const costs = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 })

  it('everything is served once, and an owner in the order in which it was added', async () => {
    await assertProperty(
      fc.property(fc.array(costs, { minLength: 1, maxLength: 8 }), (backlogs) => {
        const queue = fairQueue<Item>({ quantum, costOf: ({ cost }) => cost })
        const items = backlogs.flatMap((list, owner) => list.map((cost, number) => ({ owner: `owner ${owner}`, number, cost })))
        for (const item of items) queue.add(item.owner, item)
        const served: Item[] = []
        for (let item = queue.next(); item !== undefined; item = queue.next()) served.push(item)
        expect(served).toHaveLength(items.length)
        for (const owner of new Set(items.map((item) => item.owner)))
          expect(served.filter((item) => item.owner === owner)).toEqual(items.filter((item) => item.owner === owner))
      }),
    )
  })

  it('before a newcomer each other owner gets only its turns, however many items it has', async () => {
    await assertProperty(
      fc.property(fc.array(costs, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }), (backlogs, cost) => {
        const queue = fairQueue<Item>({ quantum, costOf: (item) => item.cost })
        for (const [owner, list] of backlogs.entries())
          for (const [number, each] of list.entries()) queue.add(`owner ${owner}`, { owner: `owner ${owner}`, number, cost: each })
        queue.add('newcomer', { owner: 'newcomer', number: 0, cost })
        const used = new Map<string, number>()
        for (let item = queue.next(); item?.owner !== 'newcomer'; item = queue.next())
          if (item !== undefined) used.set(item.owner, (used.get(item.owner) ?? 0) + item.cost)
        const turns = Math.ceil(cost / quantum)
        for (const total of used.values()) expect(total).toBeLessThanOrEqual(turns * quantum)
      }),
    )
  })
})
