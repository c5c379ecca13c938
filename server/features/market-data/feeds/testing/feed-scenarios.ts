// Failure scenarios between a provider and us that every feed with the follower must survive.
import { expect } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Dialect, DialectRequest, Frame, Truth } from './dialect.ts'
import type { ScriptedExchange } from './scripted-exchange.ts'
import type { FaultyAnswer } from './scripted-server.ts'
import { fridayMs, thursdayMs, type FeedFixture } from './feed-fixture.ts'

export interface Scenario {
  readonly name: string
  readonly startMs: number
  /** Whether a closed minute may be corrected on the way; in the end all values must be correct in any case. */
  readonly mayCorrect: boolean
  /** Simulates most of a day; runs only in the `slow` project. */
  readonly isSlow?: boolean
  /** Why it cannot happen with this provider; undefined if it can. */
  readonly except?: (dialect: Dialect) => string | undefined
  /** The failure. Some undisturbed minutes precede and follow it. */
  readonly disturb: (fixture: FeedFixture) => Promise<void>
}

type Disturbance = Omit<Scenario, 'startMs' | 'mayCorrect'> & Partial<Scenario>

const needsSocket = (dialect: Dialect) => (dialect.frames === undefined ? 'the source is polled and has no connection' : undefined)

const scenario = (parts: Disturbance): Scenario => ({ startMs: fridayMs, mayCorrect: true, ...parts })

const isHistory = (request: DialectRequest) => !/time$/i.test(request.path)

/** The first `count` history requests get this response. */
function answerFirst(fixture: FeedFixture, count: number, answer: FaultyAnswer): void {
  let left = count
  fixture.exchange.faults.http = (request) => (isHistory(request) && left-- > 0 ? answer : undefined)
}

/** History that lacks a minute until seconds after its end, as with providers that write it late. */
function late(truth: Truth, byMs: number): Truth {
  return {
    ...truth,
    candles: (symbol, step) => truth.candles(symbol, step).filter((candle) => candle.timeMs + minuteMs + byMs <= truth.nowMs()),
  }
}

/** Swaps and duplicates pairs of frames until the returned function is called; none is lost. */
function shuffle({ faults }: ScriptedExchange): () => void {
  let held: Frame | undefined
  faults.frame = (frame) => {
    if (held === undefined) {
      held = frame
      return []
    }
    const pair = [frame, held, frame, held]
    held = undefined
    return pair
  }
  return () => {
    faults.frame = (frame) => {
      faults.frame = undefined
      return held === undefined ? [frame] : [frame, held]
    }
  }
}

async function cutFor(fixture: FeedFixture, ms: number): Promise<void> {
  fixture.exchange.faults.rejectDialWith = 503
  await fixture.exchange.cut()
  await fixture.exchange.play(ms)
  fixture.exchange.faults.rejectDialWith = undefined
}

const connectionScenarios: readonly Disturbance[] = [
  {
    name: 'one undisturbed connection carries everything, and its pings are answered',
    mayCorrect: false,
    async disturb({ exchange }) {
      await exchange.play(5 * minuteMs)
      expect(exchange.dials).toEqual({ total: 1, open: 1 })
    },
  },
  {
    name: 'a cut within a minute, recovered immediately',
    async disturb({ exchange }) {
      await exchange.cut()
      await exchange.play(20 * secondMs)
      expect(exchange.dials).toEqual({ total: 2, open: 1 })
    },
  },
  { name: 'a gap of four minutes, filled from history', disturb: (fixture) => cutFor(fixture, 4 * minuteMs) },
  {
    name: 'three cuts in a row',
    async disturb({ exchange }) {
      for (const waitMs of [3 * secondMs, 20 * secondMs, 70 * secondMs]) {
        await exchange.cut()
        await exchange.play(waitMs)
      }
    },
  },
  {
    name: 'a close frame from a stopping server',
    async disturb({ exchange }) {
      await exchange.cut(1001)
      await exchange.play(30 * secondMs)
    },
  },
  {
    name: 'a disconnect because we read too slowly',
    async disturb({ exchange }) {
      await exchange.cut(1008)
      await exchange.play(30 * secondMs)
    },
  },
  {
    name: 'a half-open connection without data',
    async disturb({ exchange }) {
      exchange.faults.isFrozen = true
      await exchange.play(2 * minuteMs)
      exchange.faults.isFrozen = false
      await exchange.play(2 * minuteMs)
      expect(exchange.dials.total).toBeGreaterThan(1)
      expect(exchange.dials.open).toBe(1)
    },
  },
  {
    name: 'the maximum connection age, with a replacement before it',
    isSlow: true,
    startMs: thursdayMs,
    except: (dialect) => (dialect.endsAfterMs === undefined ? 'the provider sets no age' : undefined),
    async disturb({ exchange }) {
      await exchange.play((exchange.dialect.endsAfterMs ?? 0) - 75 * minuteMs, 20 * secondMs)
      await exchange.play(15 * minuteMs)
      expect(exchange.dials).toEqual({ total: 2, open: 1 })
    },
  },
  {
    name: 'a shutdown notice, with a replacement before the old connection ends',
    except: (dialect) => (dialect.shutdownNotice === undefined ? 'the provider gives no notice' : undefined),
    async disturb({ exchange, symbol, watch }) {
      const { states, stop } = watch(symbol)
      await exchange.announceShutdown()
      await exchange.play(2 * secondMs)
      expect(exchange.dials).toEqual({ total: 2, open: 1 })
      expect(states.map((state) => state.kind)).toEqual(['live', 'live'])
      stop()
    },
  },
  {
    name: 'truncated frames',
    async disturb({ exchange }) {
      let count = 0
      exchange.faults.frame = (frame) => ((count += 1) % 7 === 0 ? [frame.slice(0, Math.floor(frame.length / 2))] : [frame])
      await exchange.play(3 * minuteMs)
      exchange.faults.frame = undefined
    },
  },
  {
    name: 'duplicated and reordered frames',
    async disturb({ exchange }) {
      const end = shuffle(exchange)
      await exchange.play(3 * minuteMs)
      end()
    },
  },
  {
    name: 'a minute that is never marked closed',
    except: (dialect) => (dialect.withoutClose === undefined ? 'the provider never says so' : undefined),
    async disturb({ exchange }) {
      const { dialect } = exchange
      exchange.faults.frame = (frame) => [dialect.withoutClose?.(frame) ?? frame]
      await exchange.play(3 * minuteMs)
    },
  },
]

const historyScenarios: readonly Disturbance[] = [
  {
    name: 'history that is rate limited for 20 seconds',
    async disturb(fixture) {
      answerFirst(fixture, 2, { status: 429, headers: { 'retry-after': '10' }, body: '{}' })
      await cutOrWait(fixture)
      await fixture.exchange.play(minuteMs)
    },
  },
  {
    name: 'history from which we are banned for two minutes',
    async disturb(fixture) {
      answerFirst(fixture, 1, { status: 418, headers: { 'retry-after': '120' }, body: '{}' })
      await cutOrWait(fixture)
      await fixture.exchange.play(4 * minuteMs)
    },
  },
  {
    name: 'history that is unavailable for a while',
    async disturb(fixture) {
      answerFirst(fixture, 4, { status: 502, body: '<html>' })
      await cutOrWait(fixture)
      await fixture.exchange.play(minuteMs)
    },
  },
  {
    name: 'truncated history responses',
    async disturb(fixture) {
      answerFirst(fixture, 2, 'half')
      await cutOrWait(fixture)
      await fixture.exchange.play(minuteMs)
    },
  },
  {
    name: 'history requests that time out for a while',
    async disturb(fixture) {
      answerFirst(fixture, 1, 'hang')
      await cutOrWait(fixture)
      await fixture.exchange.play(2 * minuteMs)
    },
  },
  {
    name: 'history that has the newest minutes late',
    async disturb(fixture) {
      const { exchange } = fixture
      exchange.faults.http = (request) => exchange.dialect.answer(request, late(exchange.truth, 4 * secondMs)) ?? undefined
      await cutOrWait(fixture)
      await exchange.play(2 * minuteMs)
    },
  },
]

/** Makes the follower request history again: by a cut, or by waiting if the source is polled anyway. */
async function cutOrWait(fixture: FeedFixture): Promise<void> {
  if (fixture.exchange.dialect.frames === undefined) await fixture.exchange.play(minuteMs)
  else await cutFor(fixture, 100 * secondMs)
}

/** All scenarios that start on a working connection. */
export const scenarios: readonly Scenario[] = [
  ...connectionScenarios.map((parts) => scenario({ ...parts, except: (dialect) => needsSocket(dialect) ?? parts.except?.(dialect) })),
  ...historyScenarios.map(scenario),
]
