// What may happen between a provider and us, as scenarios that every feed with the follower on top must come through.
import { expect } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Dialect, DialectRequest, Frame, Truth } from './dialect.ts'
import type { ScriptedExchange } from './scripted-exchange.ts'
import type { FaultyAnswer } from './scripted-server.ts'
import { fridayMs, thursdayMs, type FeedWorld } from './feed-world.ts'

export interface Scenario {
  readonly name: string
  readonly startMs: number
  /** Whether a closed minute may come again with other values on the way; in the end all must be true in any case. */
  readonly mayCorrect: boolean
  /** Plays most of a day; runs in the project `slow` only. */
  readonly isSlow?: boolean
  /** Why it can not happen with this provider; undefined where it can. */
  readonly except?: (dialect: Dialect) => string | undefined
  /** What happens after some minutes of peace. Minutes of peace follow. */
  readonly disturb: (world: FeedWorld) => Promise<void>
}

type Disturbance = Omit<Scenario, 'startMs' | 'mayCorrect'> & Partial<Scenario>

const needsSocket = (dialect: Dialect) => (dialect.frames === undefined ? 'the source is polled and has no connection' : undefined)

const scenario = (parts: Disturbance): Scenario => ({ startMs: fridayMs, mayCorrect: true, ...parts })

const isHistory = (request: DialectRequest) => !/time$/i.test(request.path)

/** The first so many requests for history get this answer. */
function answerFirst(world: FeedWorld, count: number, answer: FaultyAnswer): void {
  let left = count
  world.exchange.faults.http = (request) => (isHistory(request) && left-- > 0 ? answer : undefined)
}

/** History that has a minute only some seconds after it ended, as with providers that write it late. */
function late(truth: Truth, byMs: number): Truth {
  return {
    ...truth,
    candles: (symbol, step) => truth.candles(symbol, step).filter((candle) => candle.timeMs + minuteMs + byMs <= truth.nowMs()),
  }
}

/** Frames in pairs, the second before the first, each twice, until the returned function is called; none is lost. */
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

async function cutFor(world: FeedWorld, ms: number): Promise<void> {
  world.exchange.faults.refuseDialWith = 503
  await world.exchange.cut()
  await world.exchange.play(ms)
  world.exchange.faults.refuseDialWith = undefined
}

const connectionScenarios: readonly Disturbance[] = [
  {
    name: 'one connection carries everything while nothing is wrong, and its pings are answered',
    mayCorrect: false,
    async disturb({ exchange }) {
      await exchange.play(5 * minuteMs)
      expect(exchange.dials).toEqual({ total: 1, open: 1 })
    },
  },
  {
    name: 'a cut in the middle of a minute, repaired at once',
    async disturb({ exchange }) {
      await exchange.cut()
      await exchange.play(20 * secondMs)
      expect(exchange.dials).toEqual({ total: 2, open: 1 })
    },
  },
  { name: 'a gap of four minutes, filled from history', disturb: (world) => cutFor(world, 4 * minuteMs) },
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
    name: 'a goodbye from a server that stops',
    async disturb({ exchange }) {
      await exchange.cut(1001)
      await exchange.play(30 * secondMs)
    },
  },
  {
    name: 'an end because we were too slow a consumer',
    async disturb({ exchange }) {
      await exchange.cut(1008)
      await exchange.play(30 * secondMs)
    },
  },
  {
    name: 'a half-open connection, on which nothing comes any more',
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
    name: 'the age at which the provider cuts, by a new connection before it',
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
    name: 'a notice that the server stops, answered by a new connection before the end of the old one',
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
    name: 'frames that end in the middle',
    async disturb({ exchange }) {
      let count = 0
      exchange.faults.frame = (frame) => ((count += 1) % 7 === 0 ? [frame.slice(0, Math.floor(frame.length / 2))] : [frame])
      await exchange.play(3 * minuteMs)
      exchange.faults.frame = undefined
    },
  },
  {
    name: 'frames that come twice and in the wrong order',
    async disturb({ exchange }) {
      const end = shuffle(exchange)
      await exchange.play(3 * minuteMs)
      end()
    },
  },
  {
    name: 'a minute that is never said to be over',
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
    name: 'history that is limited for 20 seconds',
    async disturb(world) {
      answerFirst(world, 2, { status: 429, headers: { 'retry-after': '10' }, body: '{}' })
      await cutOrWait(world)
      await world.exchange.play(minuteMs)
    },
  },
  {
    name: 'history from which we are banned for two minutes',
    async disturb(world) {
      answerFirst(world, 1, { status: 418, headers: { 'retry-after': '120' }, body: '{}' })
      await cutOrWait(world)
      await world.exchange.play(4 * minuteMs)
    },
  },
  {
    name: 'history that is out of order for a while',
    async disturb(world) {
      answerFirst(world, 4, { status: 502, body: '<html>' })
      await cutOrWait(world)
      await world.exchange.play(minuteMs)
    },
  },
  {
    name: 'answers of history that end in the middle',
    async disturb(world) {
      answerFirst(world, 2, 'half')
      await cutOrWait(world)
      await world.exchange.play(minuteMs)
    },
  },
  {
    name: 'history that never answers for a while',
    async disturb(world) {
      answerFirst(world, 1, 'hang')
      await cutOrWait(world)
      await world.exchange.play(2 * minuteMs)
    },
  },
  {
    name: 'history that has the newest minutes late',
    async disturb(world) {
      const { exchange } = world
      exchange.faults.http = (request) => exchange.dialect.answer(request, late(exchange.truth, 4 * secondMs)) ?? undefined
      await cutOrWait(world)
      await exchange.play(2 * minuteMs)
    },
  },
]

/** Makes the follower ask history again: by a cut, or by waiting where the source is polled anyway. */
async function cutOrWait(world: FeedWorld): Promise<void> {
  if (world.exchange.dialect.frames === undefined) await world.exchange.play(minuteMs)
  else await cutFor(world, 100 * secondMs)
}

/** Every scenario that starts on a line that works. */
export const scenarios: readonly Scenario[] = [
  ...connectionScenarios.map((parts) => scenario({ ...parts, except: (dialect) => needsSocket(dialect) ?? parts.except?.(dialect) })),
  ...historyScenarios.map(scenario),
]
