// The market data of one process on a scripted provider, from its frames to REST and socket; compares all with the expected data.
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { listStore } from '#server/testing/candles.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { intersectSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { seededRandom } from '#shared/base/seeded-random.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { knownTimeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import type { User } from '#shared/users/user.ts'
import type { Feed, HistoryStep, Trade } from '../../feed.ts'
import { fridayMs, type FeedSubject } from '../../feeds/testing/feed-fixture.ts'
import { manualClock } from '../../feeds/testing/manual-clock.ts'
import { scriptedExchange } from '../../feeds/testing/scripted-exchange.ts'
import { memoryChecks } from '../../gateway/check-adjustment.ts'
import { memoryRejectedRows } from '../../store/rejected-rows.ts'
import { memoryBus } from '../../gateway/market-bus.ts'
import { startHub } from '../../gateway/hub.ts'
import { timeOfCandle } from '../../coverage.ts'
import { SeriesViews } from '../../live/series-view.ts'
import { CandleCache } from '../../store/candle-cache.ts'
import { CandleHistory } from '../candle-history.ts'
import { candlesService } from '../candles-service.ts'

export interface MarketSubject extends FeedSubject {
  /** Instrument that shows the provider's first symbol. */
  readonly slug: string
  readonly sessionClass: SessionClass
}

const historyDays = 12
const viewer = { _id: 'admin', role: 'admin', isPremium: true, premiumEndDate: null } as unknown as User
/** Delay until a closed minute is stored. */
const lagMs = 4 * minuteMs

/** Few historical trades, about one a minute from an hour before the start on. */
function tradesOf({ dialect }: MarketSubject, seed: number, startMs: number): Trade[] {
  const random = seededRandom(seed)
  const { sessionClass, sizeStep = 1 / 16 } = dialect
  const trades: Trade[] = []
  let cents = 10_000
  for (let ms = startMs - historyDays * dayMs - 10_000; ms < startMs + 6 * 60 * minuteMs; ms += minuteMs) {
    const isRecent = ms > startMs - 60 * minuteMs
    if (random() > (isRecent ? 0.8 : 0.05) || !isTradingMinute(sessionClass, ms)) continue
    cents = Math.max(5_000, cents + Math.round((random() - 0.5) * 200))
    trades.push({
      timeMs: ms + 5_000 + Math.floor(random() * 50_000),
      price: cents / 100,
      size: (1 + Math.floor(random() * 80)) * sizeStep,
      isTakerBuy: random() < 0.5,
    })
  }
  return trades
}

/** Starts the exchange and a first process. */
export async function marketWorld(subject: MarketSubject, seed: number, startMs: number = fridayMs) {
  const { dialect, sessionClass, slug } = subject
  const [symbol] = dialect.symbols
  const clock = manualClock(startMs)
  const exchange = await scriptedExchange({ dialect, clock, trades: { [symbol]: tradesOf(subject, seed, startMs) } })
  const behind = listStore(() => clock.now())
  const feeds: Feed[] = []
  const errors: unknown[] = []
  let running = start()

  function start() {
    const feed = subject.make({ restUrl: exchange.restUrl, socketUrl: exchange.socketUrl, clock, log: () => undefined })
    feeds.push(feed)
    const now = () => clock.now()
    const monotonic = () => clock.monotonic()
    const store = new CandleCache(behind, { now, monotonic })
    const { bus, hub } = memoryBus()
    const label = { mode: 'live', source: feed.source, delayMinutes: 0, proxy: null } as const
    const plan = { sessionClass, candidates: [{ feed, symbol, label, sessionClass }], skipped: null }
    const onError = (error: unknown): void => void errors.push(error)
    const made = startHub({
      bus: hub,
      store,
      checks: memoryChecks(),
      rejectedRows: memoryRejectedRows(() => clock.now()),
      planOf: () => plan,
      clock,
      log: () => undefined,
      newEpoch: () => crypto.randomUUID(),
    })
    const history = new CandleHistory({
      store,
      demo: feed,
      delayMsOf: () => 0,
      extend: (series, timeframe, beforeMs) => bus.extend(series, timeframe, beforeMs),
      now,
      monotonic,
    })
    const views = new SeriesViews({ bus, history, clock, onError })
    const view = views.open(slug)
    const nothing = { reset: () => undefined, changed: () => undefined, condition: () => undefined }
    for (const timeframe of knownTimeframes) view.subscribe({ timeframe, adjustment: 'none' }, nothing)
    const shown = { sources: views, history, isHidden: () => false, now }
    return {
      view,
      rest: candlesService(shown, () => Promise.resolve(undefined)),
      async close() {
        await views.close()
        await made.close()
        await feed.close()
      },
    }
  }

  /** Resolves the work while the market advances. */
  async function whilePlaying<Result>(work: Promise<Result>): Promise<Result> {
    const state = { isDone: false }
    const settled = work.finally(() => (state.isDone = true))
    settled.catch(() => undefined)
    for (let turn = 0; turn < 20 && !state.isDone; turn += 1) await exchange.play(2_000, 1_000)
    return await settled
  }

  async function restCandles(timeframe: Timeframe, toMs?: number, limit = 5_000): Promise<Candle[]> {
    const wanted = { slug, timeframe, toMs, limit, adjustment: 'none' } as const
    const body = JSON.parse(Buffer.concat(await whilePlaying(running.rest.candlesJson(viewer, wanted))).toString()) as {
      data: { candles: [number, number, number, number, number, number | null, number | null][] }
    }
    return body.data.candles.map(([timeMs, open, high, low, close, volume, takerBuyVolume]) => ({
      timeMs,
      open,
      high,
      low,
      close,
      volume,
      takerBuyVolume,
    }))
  }

  const asStated = (candle: Candle): Candle => ({
    ...candle,
    volume: dialect.hasVolume ? candle.volume : null,
    takerBuyVolume: dialect.hasTakerBuyVolume === true ? candle.takerBuyVolume : null,
  })

  /** A candle as it was after each of the last minutes. */
  function partialOf(minutes: readonly Candle[], timeframe: Timeframe, { fromMs, toMs }: TimeSpan): (Candle | undefined)[] {
    const own = minutes.filter(({ timeMs }) => timeMs >= fromMs)
    return Array.from({ length: lagMs / minuteMs + 1 }, (_, lag) => {
      const untilMs = (Math.floor(toMs / minuteMs) - lag) * minuteMs
      return resample(
        own.filter(({ timeMs }) => timeMs < untilMs),
        sessionClass,
        timeframe,
      ).map(asStated)[0]
    })
  }

  /**
   * Compares candles with the expected ones; closed ones must be complete, and the forming one complete from its start.
   * Only those that contain unknown time may be missing.
   */
  function expectTrue(candles: readonly Candle[], timeframe: Timeframe, name: string, unknown: readonly TimeSpan[]): void {
    const nowMs = clock.now()
    const minutes = exchange.truth.candles(symbol, '1m')
    const whole = new Map(resample(minutes, sessionClass, timeframe).map((candle) => [candle.timeMs, asStated(candle)]))
    const stamps = candles.map(({ timeMs }) => timeMs)
    expect(stamps, `${name} ${timeframe}: order`).toEqual([...new Set(stamps)].toSorted((one, other) => one - other))
    for (const candle of candles) {
      const stated = asStated(candle)
      const { fromMs = 0, toMs = 0 } = timeOfCandle(sessionClass, timeframe, candle.timeMs) ?? {}
      const place = `${name} ${timeframe} ${new Date(candle.timeMs).toISOString()}`
      // Cheap check first, because `expect` is slow.
      if (isDeepStrictEqual(stated, whole.get(candle.timeMs))) continue
      if (toMs <= nowMs - lagMs) expect({ place, stated }).toEqual({ place, stated: whole.get(candle.timeMs) })
      else
        expect(
          [whole.get(candle.timeMs), ...partialOf(minutes, timeframe, { fromMs, toMs: nowMs })],
          `${place}, which forms`,
        ).toContainEqual(stated)
    }
    // No candle is missing between two served ones, except beyond the source's history.
    const [first = Infinity, last = -Infinity] = [stamps[0], stamps.at(-1)]
    const isKnown = (timeMs: number): boolean => {
      const time = timeOfCandle(sessionClass, timeframe, timeMs)
      return time === undefined || intersectSpans([time], unknown).length === 0
    }
    const between = [...whole.keys()].filter((timeMs) => timeMs >= first && timeMs <= last && (isKnown(timeMs) || stamps.includes(timeMs)))
    if (feeds[0]?.reachMs === undefined) expect(stamps, `${name} ${timeframe}: holes`).toEqual(between)
  }

  return {
    async close() {
      await running.close()
      await exchange.close()
    },
    clock,
    exchange,
    behind,
    restCandles,
    /** The candles of open charts. */
    liveCandles: (timeframe: Timeframe) => running.view.topicState({ timeframe, adjustment: 'none' }).topic?.newest(2_000) ?? [],
    play: (ms: number) => exchange.play(ms, 5_000),
    /** Stops the process, deletes stored candles as older versions lost them, and starts another one later. */
    async restart(awayMs: number, lost?: { step: HistoryStep; fromMs: number; toMs: number }) {
      const closed = running.close()
      await exchange.play(2_000)
      await closed
      if (lost !== undefined) behind.lose({ series: slug, source: dialect.source, step: lost.step }, lost)
      await exchange.play(awayMs, 30_000)
      running = start()
      await exchange.play(2_000)
    },
    /** Compares every output with the expected data; resolves to the number of REST candles per timeframe. */
    async reconcile(unknown: readonly TimeSpan[] = []): Promise<Map<Timeframe, number>> {
      const counts = new Map<Timeframe, number>()
      for (const timeframe of knownTimeframes) {
        const rest = await restCandles(timeframe)
        expectTrue(rest, timeframe, 'REST', unknown)
        const { topic } = running.view.topicState({ timeframe, adjustment: 'none' })
        expectTrue(topic?.newest(2_000) ?? [], timeframe, 'socket', unknown)
        counts.set(timeframe, rest.length)
      }
      expect(errors).toEqual([])
      return counts
    },
  }
}
