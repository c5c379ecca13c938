// Candles that are subscribed before their chart opens: who gets them, and when they are released.
import { expect, test } from 'vitest'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { CandleSource } from './candle-source.ts'
import { candlesAhead } from './candles-ahead.ts'
import type { LiveListener, LiveRequest } from './live-listener.ts'

const condition = { label: null, sessionClass: 'crypto', isStale: false, reason: 'starting' } as const
const snapshot = { candles: [], hasOlder: false, condition }
const row: CandleRow = [0, 1, 1, 1, 1, null, null]
const fiveMinutes: LiveRequest = { slug: 'nifty', timeframe: '5', adjustment: 'none', bars: 1_500 }

function line() {
  const opened: { request: LiveRequest; listener: LiveListener; isOpen: boolean }[] = []
  const timers = new Set<() => void>()
  const source: CandleSource = {
    open(request, listener) {
      const one = { request, listener, isOpen: true }
      opened.push(one)
      return () => void (one.isOpen = false)
    },
    older: () => Promise.resolve({ candles: [], hasOlder: false }),
    clockOffsetMs: () => 0,
  }
  const after = (_delayMs: number, run: () => void) => {
    timers.add(run)
    return () => void timers.delete(run)
  }
  return { ahead: candlesAhead(source, after), opened, runTimers: () => timers.forEach((run) => run()) }
}

function recorder(): { events: unknown[]; listener: LiveListener } {
  const events: unknown[] = []
  return {
    events,
    listener: {
      snapshot: (given) => void events.push(['snapshot', given]),
      update: (rows) => void events.push(['update', rows]),
      condition: (given) => void events.push(['condition', given]),
      connected: (is) => void events.push(['connected', is]),
      ended: (code) => void events.push(['ended', code]),
    },
  }
}

test('another chart gets a subscription of its own', () => {
  const { ahead, opened } = line()
  ahead.prepare(fiveMinutes)
  const { events, listener } = recorder()
  ahead.open({ ...fiveMinutes, timeframe: '15' }, listener)
  opened[0]?.listener.snapshot(snapshot)
  expect(opened.map(({ request }) => request.timeframe)).toEqual(['5', '15'])
  expect(events).toEqual([])
})

test('the prepared chart gets one subscription, with what has arrived, and what arrives later', () => {
  const { ahead, opened, runTimers } = line()
  ahead.prepare(fiveMinutes)
  ahead.prepare(fiveMinutes)
  const { listener: line5 } = opened[0] ?? expect.fail()
  line5.connected(true)
  line5.snapshot(snapshot)
  line5.update([row])
  const { events, listener } = recorder()
  const close = ahead.open(fiveMinutes, listener)
  runTimers()
  line5.condition(condition)
  expect(events).toEqual([
    ['connected', true],
    ['snapshot', snapshot],
    ['update', [row]],
    ['condition', condition],
  ])
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true])
  close()
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false])
})

test('a denial reaches the chart that opens', () => {
  const { ahead, opened } = line()
  ahead.prepare(fiveMinutes)
  opened[0]?.listener.ended('http.premiumRequired', 'Premium user required')
  const { events, listener } = recorder()
  ahead.open(fiveMinutes, listener)
  expect(events).toEqual([['ended', 'http.premiumRequired']])
})

test('only the last two are kept, and only for a while', () => {
  const { ahead, opened, runTimers } = line()
  ahead.prepare(fiveMinutes)
  ahead.prepare({ ...fiveMinutes, timeframe: '15' })
  ahead.prepare({ ...fiveMinutes, timeframe: '30' })
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true, true])
  runTimers()
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false, false])
  const { events, listener } = recorder()
  ahead.open({ ...fiveMinutes, timeframe: '15' }, listener)
  expect(opened).toHaveLength(4)
  expect(events).toEqual([])
})
