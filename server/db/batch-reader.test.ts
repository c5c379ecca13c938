// Batched reads: shared queries, bounded batches, no stale results, and isolated failures.
import { expect, test } from 'vitest'
import { batchReader } from './batch-reader.ts'

function recorder(options?: { runningMax: number; keysMax: number }) {
  const queries: { keys: readonly string[]; answer: (rows: Record<string, number>) => void; fail: (error: Error) => void }[] = []
  const load = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, number>>((resolve, reject) =>
      queries.push({ keys, answer: (rows) => resolve(new Map(Object.entries(rows))), fail: reject }),
    )
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return { queries, read: batchReader(load, options), turn }
}

test('concurrent callers share a query, and each gets its own row or undefined', async () => {
  const { queries, read, turn } = recorder()
  const all = Promise.all([read('a'), read('b'), read('a'), read('none')])
  await turn()
  expect(queries.map((query) => query.keys)).toEqual([['a', 'b', 'none']])
  queries[0]?.answer({ a: 1, b: 2 })
  expect(await all).toEqual([1, 2, 1, undefined])
})

test('a key that is requested while its query runs is read again', async () => {
  const { queries, read, turn } = recorder({ runningMax: 1, keysMax: 10 })
  const first = read('a')
  await turn()
  const second = read('a')
  await turn()
  expect(queries).toHaveLength(1)
  queries[0]?.answer({ a: 1 })
  expect(await first).toBe(1)
  await turn()
  queries[1]?.answer({ a: 2 })
  expect(await second).toBe(2)
})

test('batches and running queries are bounded', async () => {
  const { queries, read, turn } = recorder({ runningMax: 2, keysMax: 3 })
  const all = Promise.all(Array.from({ length: 8 }, (_, index) => read(String(index))))
  await turn()
  expect(queries.map((query) => query.keys.length)).toEqual([3, 3])
  for (const query of queries) query.answer({})
  await turn()
  expect(queries.map((query) => query.keys.length)).toEqual([3, 3, 2])
  queries[2]?.answer({})
  expect(await all).toHaveLength(8)
})

test('a failed query rejects its callers and the next one continues', async () => {
  const { queries, read, turn } = recorder()
  const lost = read('a')
  await turn()
  queries[0]?.fail(new Error('gone'))
  await expect(lost).rejects.toThrow('gone')
  const next = read('a')
  await turn()
  queries[1]?.answer({ a: 3 })
  expect(await next).toBe(3)
})
