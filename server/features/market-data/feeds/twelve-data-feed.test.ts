// Twelve Data against a fake server: the shared feed suite, and provider specifics.
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { feedContract } from './testing/feed-contract.ts'
import { fridayMs, type FeedSubject, type FeedFixture, withFeedFixture } from './testing/feed-fixture.ts'
import { expectNoSecret } from './testing/secrets.ts'
import { twelveDataDialect, twelveDataTestKey } from './testing/fake-twelve-data-server.ts'
import { twelveDataFeed, type TwelveDataOptions } from './twelve-data-feed.ts'

const withCredits = (credits: NonNullable<TwelveDataOptions['credits']>, apiKey = twelveDataTestKey): FeedSubject => ({
  dialect: twelveDataDialect,
  make: (options) => twelveDataFeed({ ...options, apiKey, credits }),
  staleAfterMs: 15_000,
})
const subject = withCredits({ perMinute: 55 })

const lastHour = (fixture: FeedFixture) =>
  fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - hourMs, toMs: fridayMs })

feedContract(subject)

describe('a wrong key', () => {
  const wrongKey = 'another-key'

  it('is rejected with advice, by history and by the socket, and is never logged', async () => {
    await withFeedFixture(withCredits({ perMinute: 55 }, wrongKey), async (fixture) => {
      fixture.exchange.faults.rejectDialWith = 401
      const watched = fixture.watch(fixture.symbol)
      const outcome = Promise.allSettled([lastHour(fixture)])
      await fixture.exchange.play(5000)
      const [notified] = await outcome
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('does not take the key') as string })
      expect(notified).toMatchObject({ reason: { kind: 'refused', message: expect.stringContaining('does not take the key') as string } })
      expectNoSecret([watched.states, notified, fixture.logLines], [wrongKey, twelveDataTestKey])
    })
  })

  it('is also rejected if the socket opens and rejects it then', async () => {
    const dialect = {
      ...twelveDataDialect,
      received: (peer: { send(frame: string): void }) => peer.send('{"status":"error","code":401,"message":"no"}'),
    }
    await withFeedFixture({ ...subject, dialect }, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(3000)
      expect(watched.states.at(-1)?.kind).toBe('refused')
    })
  })
})

describe('a plan without live prices', () => {
  const whatToDo = expect.stringMatching(/WebSocket.*TWELVE_DATA_KEY/) as string

  it('is rejected with advice, if the socket does not open', async () => {
    await withFeedFixture(subject, async (fixture) => {
      fixture.exchange.faults.rejectDialWith = 403
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })

  it('is rejected with advice, if it opens and rejects the symbols', async () => {
    await withFeedFixture(subject, async (fixture) => {
      fixture.exchange.faults.notOffered.add(fixture.symbol)
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })

  it('is rejected with advice, if it opens and fails then', async () => {
    const dialect = {
      ...twelveDataDialect,
      received: (peer: { send(frame: string): void }) => peer.send('{"status":"error","code":403,"message":"no"}'),
    }
    await withFeedFixture({ ...subject, dialect }, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(3000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: whatToDo })
    })
  })
})

describe('a price of zero', () => {
  it('is skipped for its symbol only', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => fixture.watch(symbol))
      await fixture.exchange.play(5000)
      const zero = JSON.stringify({ event: 'price', symbol: first, timestamp: Math.floor(fridayMs / 1000), price: 0 })
      fixture.exchange.faults.frame = (frame) => [zero, frame]
      await fixture.exchange.play(3 * minuteMs)
      for (const received of [one, other]) expect(received?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
      expect(one?.trades.every(({ price }) => price > 0)).toBe(true)
      const lines = fixture.logLines.filter((line) => line.includes('cannot be used'))
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThanOrEqual(4)
    })
  })
})

describe('credits', () => {
  it('that are used up for the day are an immediate error with the retry delay', async () => {
    await withFeedFixture(withCredits({ perMinute: 55, perDay: 1 }), async (fixture) => {
      const [notified] = await Promise.all([Promise.allSettled([lastHour(fixture), lastHour(fixture)]), fixture.exchange.play(2000)])
      expect(notified).toMatchObject([{ status: 'fulfilled' }, { reason: { kind: 'limited', retryAfterMs: 24 * hourMs } }])
      expect(fixture.exchange.requests).toHaveLength(1)
    })
  })

  it('of a minute are waited for', async () => {
    await withFeedFixture(withCredits({ perMinute: 2 }), async (fixture) => {
      const all = Promise.all([lastHour(fixture), lastHour(fixture), lastHour(fixture)])
      await fixture.exchange.play(minuteMs - 1000)
      expect(fixture.exchange.requests).toHaveLength(2)
      await fixture.exchange.play(2000)
      expect(fixture.exchange.requests).toHaveLength(3)
      expect(await all).toHaveLength(3)
    })
  })

  it('that another client used up are waited for too, even if the response has status 200', async () => {
    await withFeedFixture(subject, async (fixture) => {
      let left = 1
      const body = JSON.stringify({ code: 429, message: 'You have run out of API credits for the current minute.', status: 'error' })
      fixture.exchange.faults.http = () => (left-- > 0 ? { status: 200, body } : undefined)
      const history = lastHour(fixture)
      await fixture.exchange.play(minuteMs - 1000)
      expect(fixture.exchange.requests).toHaveLength(1)
      await fixture.exchange.play(5000)
      expect((await history).length).toBeGreaterThan(30)
    })
  })
})

describe('a span without prices', () => {
  it('is empty and not an error', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const sundayMs = fridayMs - 5 * 24 * hourMs
      const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: sundayMs - hourMs, toMs: sundayMs })
      await fixture.exchange.play(2000)
      expect(await history).toEqual([])
    })
  })
})

describe('the socket', () => {
  it('sends a heartbeat every ten seconds', async () => {
    await withFeedFixture(subject, async (fixture) => {
      fixture.watch(fixture.symbol)
      await fixture.exchange.play(35_000)
      const heartbeats = fixture.exchange.received.filter(({ frame }) => frame.toString().includes('heartbeat'))
      expect(heartbeats.map(({ timeMs }) => Math.round((timeMs - fridayMs) / 1000))).toEqual([10, 20, 30])
    })
  })

  it('emits quotes, which are not trades', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(minuteMs)
      expect(watched.trades.length).toBeGreaterThan(3)
      expect(watched.trades.every(({ size, isTakerBuy }) => size === null && isTakerBuy === null)).toBe(true)
    })
  })
})
