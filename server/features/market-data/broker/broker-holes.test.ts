// A hole in the candles of a user's own broker: once paging back has filled it, the open chart shows it too.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleRow, ServerMessage } from '#shared/market-data/live/contract.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { FeedError, type Feed, type FeedSink } from '../feed.ts'
import { manualClock, settle } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/market-bus.ts'
import { rowOf, type ChannelSubscriber } from '../live/broadcast-channel.ts'
import type { RejectedCount } from '../store/rejected-messages.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { BrokerMarket } from './broker-market.ts'

/** Some seconds after 10:00 in India, so that the stream has only a part of the minute. */
const startMs = Date.parse('2026-11-20T04:30:20Z')
const holeMs = Math.floor(startMs / minuteMs) * minuteMs

function minuteAt(timeMs: number): Candle {
  const close = 1_400 + ((timeMs / minuteMs) % 7)
  return { timeMs, open: 1_400, high: 1_410, low: 1_390, close, volume: 60, takerBuyVolume: null }
}

function broker() {
  const state = { isDown: false }
  let sink: FeedSink | undefined
  const feed: Feed = {
    source: 'kite',
    steps: ['1m'],
    live: 'trades',
    history({ fromMs, toMs }) {
      if (state.isDown) return Promise.reject(new FeedError('unreachable', 'the broker does not answer'))
      const candles: Candle[] = []
      for (let timeMs = Math.max(Math.ceil(fromMs / minuteMs) * minuteMs, startMs - 20 * dayMs); timeMs < toMs; timeMs += minuteMs)
        if (isTradingMinute('nse-equity', timeMs)) candles.push(minuteAt(timeMs))
      return Promise.resolve(candles)
    },
    watch(_symbol, given) {
      sink = given
      given.state({ kind: 'live' })
      return () => undefined
    },
    close: () => Promise.resolve(),
  }
  return { feed, state, notify: (candle: Candle) => sink?.minute(candle, true) }
}

function world() {
  const clock = manualClock(startMs)
  const { feed, state, notify } = broker()
  const counted: RejectedCount[] = []
  const market = new BrokerMarket({
    feed,
    title: 'A broker',
    clock,
    log: () => undefined,
    onError: (error) => expect.fail(String(error)),
    newEpoch: randomUUID,
    rejections: { rows: memoryRejectedRows(() => clock.now()), messages: { add: (one) => void counted.push(one) } },
    bus: memoryBus(),
  })
  onTestFinished(() => market.close())
  const rest = () => settle([() => clock.activity()])
  return {
    state,
    notify,
    counted,
    rest,
    /** Lets time pass while the stream sends each minute; of the first one only a part. */
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 5 * secondMs) {
        const before = Math.floor(clock.now() / minuteMs)
        clock.advance(5 * secondMs)
        const over = before * minuteMs
        if (Math.floor(clock.now() / minuteMs) > before) notify(over === holeMs ? { ...minuteAt(over), volume: 7 } : minuteAt(over))
        await rest()
      }
    },
    /** Opens a chart; returns the candles that it shows, by time. */
    openChart: () => {
      const shown = new Map<number, CandleRow>()
      const channel = market.channels.channel('reliance', { timeframe: '1', adjustment: 'none' })
      const take = (message: ServerMessage): void => {
        if (message.t === 'snap') shown.clear()
        for (const row of message.t === 'snap' ? message.candles : message.t === 'upd' ? message.c : []) shown.set(row[0], row)
      }
      const connection = {
        isWritable: () => true,
        takeCandles: () => true,
        defer: (subscriber: ChannelSubscriber) => channel.deliver(subscriber),
        send: (frame: Buffer, rest = Buffer.of()) => take(JSON.parse(`${frame.toString()}${rest.toString()}`) as ServerMessage),
      }
      channel.subscribe({ id: 1, bars: 1_000, connection, seq: undefined, epoch: '' }, undefined)
      return shown
    },
    pageBack: () =>
      market.history.candles({
        series: 'reliance',
        source: 'kite',
        sessionClass: 'nse-equity',
        timeframe: '1',
        toMs: Number.MAX_SAFE_INTEGER,
        limit: 5_000,
      }),
  }
}

test('a hole filled by paging back is filled on the open chart as well', async () => {
  const { state, rest, pass, openChart, pageBack } = world()
  const shown = openChart()
  await rest()
  await pass(10 * secondMs)
  expect(shown.size).toBe(1_000)
  // The history fails while the partial minute is looked up again, and until live charts read it from the store.
  state.isDown = true
  await pass(190 * minuteMs)
  expect(shown.get(holeMs)).toEqual(rowOf({ ...minuteAt(holeMs), volume: 7 }))
  state.isDown = false
  expect((await pageBack()).candles.find(({ timeMs }) => timeMs === holeMs)).toEqual(minuteAt(holeMs))
  await pass(30 * secondMs)
  expect(shown.get(holeMs)).toEqual(rowOf(minuteAt(holeMs)))
})

test('a live message that cannot be used is counted by series and source', async () => {
  const { notify, counted, rest, pass, openChart } = world()
  openChart()
  await rest()
  await pass(10 * secondMs)
  notify({ ...minuteAt(holeMs), low: 0 })
  expect(counted).toEqual([{ series: 'reliance', source: 'kite', issue: 'not-positive', count: 1 }])
})
