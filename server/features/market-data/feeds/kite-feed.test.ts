// Kite against a fake Zerodha exchange: the shared feed suite, and provider specifics.
import { describe, expect, it } from 'vitest'
import { kiteFeed } from './kite-feed.ts'
import { feedContract } from './testing/feed-contract.ts'
import { expectTrueMinutes, fridayMs, type FeedSubject, withFeedFixture } from './testing/feed-fixture.ts'
import { kiteDialect, kiteKeys } from './testing/fake-kite-server.ts'
import { expectNoSecret } from './testing/secrets.ts'

const subject: FeedSubject = { dialect: kiteDialect, make: (options) => kiteFeed({ ...options, ...kiteKeys }), staleAfterMs: 15_000 }
const wrongKeys = { apiKey: 'wrong-key', accessToken: 'yesterdays-token' }
const stranger: FeedSubject = { ...subject, make: (options) => kiteFeed({ ...options, ...wrongKeys }) }

feedContract(subject)

describe('an expired token', () => {
  it('is rejected with advice, by history and by the socket, and is never logged', async () => {
    await withFeedFixture(stranger, async (fixture) => {
      fixture.exchange.faults.rejectDialWith = 403
      const watched = fixture.watch(fixture.symbol)
      const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
      const outcome = Promise.allSettled([history])
      await fixture.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('sign in to Zerodha again') as string,
      })
      const [notified] = await outcome
      expect(notified).toMatchObject({
        reason: { kind: 'refused', message: expect.stringContaining('sign in to Zerodha again') as string },
      })
      expectNoSecret([watched.states, notified, fixture.logLines], [...Object.values(wrongKeys), kiteKeys.accessToken])
    })
  })

  it('that expires while prices arrive is detected at the next call', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(20_000)
      expect(watched.states.at(-1)?.kind).toBe('live')
      fixture.exchange.faults.rejectDialWith = 403
      await fixture.exchange.cut()
      await fixture.exchange.play(5000)
      expect(watched.states.at(-1)?.kind).toBe('refused')
    })
  })
})

describe('the socket', () => {
  it('requests full mode for a token, and unsubscribes with the last listener', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const { stop } = fixture.watch('NSE:RELIANCE')
      await fixture.exchange.play(3000)
      stop()
      await fixture.exchange.play(1000)
      expect(fixture.exchange.received.map(({ frame }) => JSON.parse(frame.toString()) as unknown)).toEqual([
        { a: 'subscribe', v: [738_561] },
        { a: 'mode', v: ['full', [738_561]] },
        { a: 'unsubscribe', v: [738_561] },
      ])
    })
  })

  it('is live without a price after a heartbeat, as on a quiet evening', async () => {
    const quiet: FeedSubject = { ...subject, dialect: { ...kiteDialect, received: () => undefined } }
    await withFeedFixture(quiet, async (evening) => {
      const watched = evening.watch(evening.symbol)
      await evening.exchange.play(4000)
      expect(watched.states.map(({ kind }) => kind)).toEqual(['connecting', 'connecting', 'live'])
      expect(watched.trades).toEqual([])
    })
  })
})

describe('an index', () => {
  it('has correct minutes and no volume', async () => {
    const index: FeedSubject = {
      ...subject,
      dialect: { ...kiteDialect, symbols: ['NSE:NIFTY 50', 'NSE:RELIANCE'], sessionClass: 'nse-index', hasVolume: false },
    }
    await withFeedFixture(index, async (fixture) => {
      const followed = fixture.follow()
      await fixture.exchange.play(5 * 60_000)
      expectTrueMinutes(fixture, followed, 20_000)
      expect(followed.minutes.every(({ candle }) => candle.volume === null)).toBe(true)
      followed.stop()
    })
  })
})

describe('history', () => {
  it('reads the instrument list once, and splits a long range', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const ask = () => fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 130 * 86_400_000, toMs: fridayMs })
      const both = Promise.all([ask(), ask()])
      await fixture.exchange.play(5000)
      await both
      const paths = fixture.exchange.requests.map(({ path }) => path)
      expect(paths.filter((path) => path === '/instruments/NSE')).toHaveLength(1)
      // Three each, and one more where the response did not reach the start of its call.
      expect(paths.filter((path) => path.endsWith('/minute'))).toHaveLength(8)
    })
  })

  it.each(['RELIANCE', 'NSE:', 'nse:RELIANCE', '../user:RELIANCE', ''])('rejects an impossible symbol: %j', async (symbol) => {
    await withFeedFixture(subject, async (fixture) => {
      const [notified] = await Promise.all([
        Promise.allSettled([fixture.feed.history({ symbol, step: '1m', fromMs: 0, toMs: 1 })]),
        fixture.exchange.play(1000),
      ])
      expect(notified).toMatchObject([{ reason: { kind: 'refused' } }])
    })
  })
})
