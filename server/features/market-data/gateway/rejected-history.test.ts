// Rejected rows of a source: the others are stored, the hole is requested once a day and settled after three equal answers.
import { beforeEach, expect, test } from 'vitest'
import { listStore, minutesBetween, type ListStore } from '#server/testing/candles.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { FeedError, timeframeOfStep, type Feed, type HistoryStep } from '../feed.ts'
import { orderlyCandles } from '../feeds/orderly-candles.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { HistoryFiller } from './history-filler.ts'

const startMs = Date.parse('2026-11-20T06:00Z')
const steps = ['1m', '1h', '1D'] as const
const minutes = minutesBetween(startMs - 12 * dayMs, startMs)
const truth = new Map<HistoryStep, readonly Candle[]>(steps.map((step) => [step, resample(minutes, 'crypto', timeframeOfStep[step])]))
const keyOf = (step: HistoryStep) => ({ series: 'x', source: 'binance', step }) as const
const badMs = startMs - 3 * hourMs

let store: ListStore
let asked: string[]
let writes: number
let change: ((row: Candle, step: HistoryStep) => Candle) | undefined
beforeEach(() => {
  store = listStore()
  asked = []
  writes = 0
  change = (row, step) => (step === '1h' && row.timeMs === badMs ? { ...row, close: row.high * 1.0001 } : row)
})

function world() {
  const clock = manualClock(startMs)
  const rejectedRows = memoryRejectedRows(() => clock.now())
  const feed: Feed = {
    source: 'binance',
    steps,
    live: 'minutes',
    history(request) {
      const { step, fromMs, toMs } = request
      asked.push(`${step} ${(startMs - fromMs) / hourMs} ${(startMs - toMs) / hourMs}`)
      const rows = (truth.get(step) ?? []).map((row) => change?.(row, step) ?? row)
      return Promise.resolve(orderlyCandles(rows, request, { nowMs: clock.now(), sessionClass: null }))
    },
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
  const label = { mode: 'live', source: 'A source', delayMinutes: 0, proxy: null } as const
  const newFiller = () =>
    new HistoryFiller({
      series: 'x',
      candidate: { feed, symbol: 'X', label, sessionClass: 'crypto' },
      store,
      rejectedRows,
      writer: { write: (...written) => ((writes += 1), store.append(...written)) },
      clock,
      signal: new AbortController().signal,
    })
  return { clock, filler: newFiller(), newFiller, rejectedRows }
}

const coverageOf = async (step: HistoryStep) => (await store.coverage(keyOf(step)))[step] ?? []
const stored = async (step: HistoryStep) => (await store.range(keyOf(step), { fromMs: 0, toMs: Infinity })).map(({ timeMs }) => timeMs)
const expected = (step: HistoryStep) => (truth.get(step) ?? []).map(({ timeMs }) => timeMs).filter((timeMs) => timeMs + hourMs <= startMs)

test('one hour whose close is above its high leaves every other hour, and a hole of one hour', async () => {
  const { filler } = world()
  await filler.refresh('1h')
  expect(await stored('1h')).toEqual(expected('1h').filter((timeMs) => timeMs !== badMs))
  expect((await coverageOf('1h')).map(({ fromMs }) => fromMs).at(-1)).toBe(badMs + hourMs)
  expect((await coverageOf('1h')).map(({ toMs }) => toMs)[0]).toBe(badMs)
})

test('a response with many holes is stored in one write', async () => {
  const { filler } = world()
  change = (row) => (row.timeMs % (4 * hourMs) === 0 ? { ...row, low: 0 } : row)
  await filler.refresh('1h')
  expect((await coverageOf('1h')).length).toBeGreaterThan(50)
  expect(writes).toBe(1)
})

test('history continues beyond the hole, which is not requested again on the way', async () => {
  const { filler } = world()
  await store.append(keyOf('1h'), [], [{ fromMs: badMs - 4 * hourMs, toMs: badMs }])
  await filler.refresh('1h')
  change = (row) => (row.timeMs === badMs - 5 * hourMs ? { ...row, low: 0 } : row)
  expect(await filler.extend('60', badMs - 6 * hourMs)).toBe(true)
  expect(await stored('1h')).toContain(badMs - 100 * hourMs)
  expect(await filler.repair()).toBe(false)
})

test('a hole is requested once a day, also after a restart, and settled by the third equal answer', async () => {
  const { clock, filler, newFiller, rejectedRows } = world()
  await filler.refresh('1h')
  const holes = async () => (await coverageOf('1h')).length - 1
  for (const answers of [1, 2]) {
    expect(await newFiller().repair()).toBe(false)
    clock.advance(dayMs - minuteMs)
    expect(await newFiller().repair()).toBe(false)
    expect(await rejectedRows.list(keyOf('1h'))).toMatchObject([{ fromMs: badMs, issue: 'out-of-order', answers, isSettled: false }])
    expect(await holes()).toBe(1)
    clock.advance(minuteMs)
    asked = []
    expect(await filler.repair()).toBe(true)
    expect(asked).toEqual(['1h 3 2'])
  }
  expect(await holes()).toBe(0)
  expect(await stored('1h')).not.toContain(badMs)
  expect(await rejectedRows.list(keyOf('1h'))).toMatchObject([{ fromMs: badMs, toMs: badMs + hourMs, answers: 3, isSettled: true }])
  clock.advance(9 * dayMs)
  expect(await newFiller().repair()).toBe(false)
})

test('another answer starts the count again, and a correct one heals the hole', async () => {
  const { clock, filler, rejectedRows } = world()
  await filler.refresh('1h')
  for (let day = 0; day < 6; day += 1) {
    clock.advance(dayMs)
    change = (row, step) => (step === '1h' && row.timeMs === badMs ? { ...row, close: row.high + 1 + day } : row)
    expect(await filler.repair()).toBe(true)
    expect(await rejectedRows.list(keyOf('1h'))).toMatchObject([{ answers: 1 }])
  }
  clock.advance(dayMs)
  change = undefined
  expect(await filler.repair()).toBe(true)
  expect(await stored('1h')).toContain(badMs)
  expect(await coverageOf('1h')).toHaveLength(1)
  expect(await rejectedRows.list(keyOf('1h'))).toEqual([])
})

test('a source that does not answer changes nothing', async () => {
  const { clock, filler, rejectedRows } = world()
  await filler.refresh('1h')
  clock.advance(dayMs)
  change = () => {
    throw new FeedError('unreachable', 'gone')
  }
  await expect(filler.repair()).rejects.toThrow('gone')
  expect(await rejectedRows.list(keyOf('1h'))).toMatchObject([{ answers: 1, isSettled: false }])
  change = undefined
  expect(await filler.repair()).toBe(true)
})

test('days of unreadable rows are one hole', async () => {
  const { filler, rejectedRows } = world()
  const bad = { fromMs: startMs - 50 * hourMs, toMs: startMs - 20 * hourMs }
  change = (row, step) => (step === '1h' && row.timeMs >= bad.fromMs && row.timeMs < bad.toMs ? { ...row, open: NaN } : row)
  await filler.refresh('1h')
  expect(await rejectedRows.list(keyOf('1h'))).toMatchObject([{ ...bad, issue: 'not-a-number' }])
})
