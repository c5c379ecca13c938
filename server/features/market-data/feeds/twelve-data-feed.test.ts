// Twelve Data against a fake server: the shared feed suite, and provider specifics.
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { feedContract } from './testing/feed-contract.ts'
import { fridayMs, type FeedSubject, type FeedWorld } from './testing/feed-fixture.ts'
import { inWorld } from './testing/in-world.ts'
import { expectNoSecret } from './testing/secrets.ts'
import { twelveDataDialect, twelveDataTestKey } from './testing/fake-twelve-data-server.ts'
import { twelveDataFeed, type TwelveDataOptions } from './twelve-data-feed.ts'

const withCredits = (credits: NonNullable<TwelveDataOptions['credits']>, apiKey = twelveDataTestKey): FeedSubject => ({
  dialect: twelveDataDialect,
  make: (options) => twelveDataFeed({ ...options, apiKey, credits }),
  staleAfterMs: 15_000,
})
const subject = withCredits({ perMinute: 55 })

const lastHour = (world: FeedWorld) => world.feed.history({ symbol: world.symbol, step: '1m', fromMs: fridayMs - hourMs, toMs: fridayMs })

feedContract(subject)

describe('a wrong key', () => {
  const wrongKey = 'another-key'

  it('is rejected with advice, by history and by the socket, and is never logged', async () => {
    await inWorld(withCredits({ perMinute: 55 }, wrongKey), async (world) => {
      world.exchange.faults.rejectDialWith = 401
      const watched = world.watch(world.symbol)
      const outcome = Promise.allSettled([lastHour(world)])
      await world.exchange.play(5000)
      const [notified] = await outcome
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('does not take the key') as string })
      expect(notified).toMatchObject({ reason: { kind: 'refused', message: expect.stringContaining('does not take the key') as string } })
      expectNoSecret([watched.states, notified, world.logLines], [wrongKey, twelveDataTestKey])
    })
  })

  it('is also rejected if the socket opens and rejects it then', async () => {
    const dialect = {
      ...twelveDataDialect,
      received: (peer: { send(frame: string): void }) => peer.send('{"status":"error","code":401,"message":"no"}'),
    }
    await inWorld({ ...subject, dialect }, async (world) => {
      const watched = world.watch(world.symbol)
      await world.exchange.play(3000)
      expect(watched.states.at(-1)?.kind).toBe('refused')
    })
  })
})

describe('a plan without live prices', () => {
  const whatToDo = expect.stringMatching(/WebSocket.*TWELVE_DATA_KEY/) as string

  it('is rejected with advice, if the socket does not open', async () => {
    await inWorld(subject, async (world) => {
      world.exchange.faults.rejectDialWith = 403
      const watched = world.watch(world.symbol)
      await world.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })

  it('is rejected with advice, if it opens and rejects the symbols', async () => {
    await inWorld(subject, async (world) => {
      world.exchange.faults.notOffered.add(world.symbol)
      const watched = world.watch(world.symbol)
      await world.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })

  it('is rejected with advice, if it opens and fails then', async () => {
    const dialect = {
      ...twelveDataDialect,
      received: (peer: { send(frame: string): void }) => peer.send('{"status":"error","code":403,"message":"no"}'),
    }
    await inWorld({ ...subject, dialect }, async (world) => {
      const watched = world.watch(world.symbol)
      await world.exchange.play(3000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })
})

describe('a price of zero', () => {
  it('is skipped for its symbol only', async () => {
    await inWorld(subject, async (world) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => world.watch(symbol))
      await world.exchange.play(5000)
      const zero = JSON.stringify({ event: 'price', symbol: first, timestamp: Math.floor(fridayMs / 1000), price: 0 })
      world.exchange.faults.frame = (frame) => [zero, frame]
      await world.exchange.play(3 * minuteMs)
      for (const received of [one, other]) expect(received?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
      expect(one?.trades.every(({ price }) => price > 0)).toBe(true)
      const lines = world.logLines.filter((line) => line.includes('cannot be used'))
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThanOrEqual(4)
    })
  })
})

describe('credits', () => {
  it('that are used up for the day are an immediate error with the retry delay', async () => {
    await inWorld(withCredits({ perMinute: 55, perDay: 1 }), async (world) => {
      const [notified] = await Promise.all([Promise.allSettled([lastHour(world), lastHour(world)]), world.exchange.play(2000)])
      expect(notified).toMatchObject([{ status: 'fulfilled' }, { reason: { kind: 'limited', retryAfterMs: 24 * hourMs } }])
      expect(world.exchange.requests).toHaveLength(1)
    })
  })

  it('of a minute are waited for', async () => {
    await inWorld(withCredits({ perMinute: 2 }), async (world) => {
      const all = Promise.all([lastHour(world), lastHour(world), lastHour(world)])
      await world.exchange.play(minuteMs - 1000)
      expect(world.exchange.requests).toHaveLength(2)
      await world.exchange.play(2000)
      expect(world.exchange.requests).toHaveLength(3)
      expect(await all).toHaveLength(3)
    })
  })

  it('that another client used up are waited for too, even if the response has status 200', async () => {
    await inWorld(subject, async (world) => {
      let left = 1
      const body = JSON.stringify({ code: 429, message: 'You have run out of API credits for the current minute.', status: 'error' })
      world.exchange.faults.http = () => (left-- > 0 ? { status: 200, body } : undefined)
      const history = lastHour(world)
      await world.exchange.play(minuteMs - 1000)
      expect(world.exchange.requests).toHaveLength(1)
      await world.exchange.play(5000)
      expect((await history).length).toBeGreaterThan(30)
    })
  })
})

describe('a span without prices', () => {
  it('is empty and not an error', async () => {
    await inWorld(subject, async (world) => {
      const sundayMs = fridayMs - 5 * 24 * hourMs
      const history = world.feed.history({ symbol: world.symbol, step: '1m', fromMs: sundayMs - hourMs, toMs: sundayMs })
      await world.exchange.play(2000)
      expect(await history).toEqual([])
    })
  })
})

describe('the socket', () => {
  it('sends a heartbeat every ten seconds', async () => {
    await inWorld(subject, async (world) => {
      world.watch(world.symbol)
      await world.exchange.play(35_000)
      const heartbeats = world.exchange.received.filter(({ frame }) => frame.toString().includes('heartbeat'))
      expect(heartbeats.map(({ timeMs }) => Math.round((timeMs - fridayMs) / 1000))).toEqual([10, 20, 30])
    })
  })

  it('emits quotes, which are not trades', async () => {
    await inWorld(subject, async (world) => {
      const watched = world.watch(world.symbol)
      await world.exchange.play(minuteMs)
      expect(watched.trades.length).toBeGreaterThan(3)
      expect(watched.trades.every(({ size, isTakerBuy }) => size === null && isTakerBuy === null)).toBe(true)
    })
  })
})
