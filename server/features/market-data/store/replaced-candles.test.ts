// Replaced candles are noticed by every running process, whichever process replaced them.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { emptyDatabase, freshDatabase } from '#server/testing/database.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { noteReplacedCandles, watchReplacedCandles } from './replaced-candles.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(() => emptyDatabase(database))
afterAll(() => database.close())

const bitcoin = { series: 'btc-usdt', source: 'binance' } as const
const nifty = { series: 'nifty', source: 'csv' } as const

function watch() {
  const clock = manualClock(0)
  const noticed: string[] = []
  const errors: unknown[] = []
  const hooks = { isFailing: false }
  const onReplaced = ({ series, source }: { series: string; source: string }): Promise<void> => {
    if (hooks.isFailing) return Promise.reject(new Error('the store does not answer'))
    noticed.push(`${series} ${source}`)
    return Promise.resolve()
  }
  const stop = watchReplacedCandles({ db: database.db, clock, onReplaced, onError: (error) => errors.push(error) })
  onTestFinished(stop)
  /** The next look at the database. */
  async function look(): Promise<void> {
    await expect.poll(() => clock.nextDueMs()).toBeDefined()
    clock.advance(5_000)
    await expect.poll(() => clock.nextDueMs()).toBeDefined()
  }
  return { clock, noticed, errors, hooks, stop, look }
}

test('what was replaced before the start is not reported', async () => {
  await noteReplacedCandles(database.db, bitcoin)
  const { look, noticed, errors } = watch()
  await look()
  expect(noticed).toEqual([])
  expect(errors).toEqual([])
})

test('each replacement is reported once, also one after another of the same series', async () => {
  const { look, noticed } = watch()
  await look()
  await noteReplacedCandles(database.db, bitcoin)
  await look()
  await look()
  expect(noticed).toEqual(['btc-usdt binance'])
  await noteReplacedCandles(database.db, nifty)
  await noteReplacedCandles(database.db, bitcoin)
  await noteReplacedCandles(database.db, bitcoin)
  await look()
  expect(noticed.toSorted()).toEqual(['btc-usdt binance', 'btc-usdt binance', 'nifty csv'])
})

test('a report that fails is repeated', async () => {
  const { look, noticed, errors, hooks } = watch()
  await look()
  await noteReplacedCandles(database.db, bitcoin)
  hooks.isFailing = true
  await look()
  expect([noticed.length, errors.length]).toEqual([0, 1])
  hooks.isFailing = false
  await look()
  expect(noticed).toEqual(['btc-usdt binance'])
})

test('nothing is reported after the stop', async () => {
  const { clock, look, noticed, stop } = watch()
  await look()
  stop()
  await noteReplacedCandles(database.db, bitcoin)
  clock.advance(60_000)
  expect(clock.nextDueMs()).toBeUndefined()
  expect(noticed).toEqual([])
})
