// OpenAlgo against a fake instance: the shared feed suite, and provider specifics.
import { describe, expect, it } from 'vitest'
import { openalgoFeed } from './openalgo-feed.ts'
import { feedContract } from './testing/feed-contract.ts'
import { expectTrueMinutes, fridayMs, type FeedSubject, withFeedFixture } from './testing/feed-fixture.ts'
import { openAlgoDialect, openAlgoTestKey } from './testing/fake-openalgo-server.ts'
import { expectNoSecret } from './testing/secrets.ts'

const subject: FeedSubject = {
  dialect: openAlgoDialect,
  make: (options) => openalgoFeed({ ...options, apiKey: openAlgoTestKey }),
  staleAfterMs: 15_000,
}
const wrongKey = 'a-key-of-another-instance'

feedContract(subject)

describe('a wrong key', () => {
  it('is rejected with advice, by history and by the socket, and is never logged', async () => {
    await withFeedFixture({ ...subject, make: (options) => openalgoFeed({ ...options, apiKey: wrongKey }) }, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
      const outcome = Promise.allSettled([history])
      await fixture.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('make a new one') as string })
      const [notified] = await outcome
      expect(notified).toMatchObject({ reason: { kind: 'refused' } })
      expectNoSecret([watched.states, notified, fixture.logLines], [wrongKey])
    })
  })
})

describe('an instance that sends what nobody asked for', () => {
  it('gets nothing of it remembered, and a long error is cut', async () => {
    const quote = JSON.stringify({ type: 'market_data', exchange: 'NSE', symbol: 'OTHER', data: { ltp: 0 } })
    const confirmed = JSON.stringify({ type: 'subscribe', subscriptions: [{ exchange: 'NSE', symbol: 'OTHER', status: 'error' }] })
    const error = JSON.stringify({ status: 'error', code: 'X'.repeat(10_000) })
    const received: typeof openAlgoDialect.received = (peer) => {
      for (const text of [quote, confirmed, error]) peer.send(text)
    }
    await withFeedFixture({ ...subject, dialect: { ...openAlgoDialect, received } }, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(1000)
      expect(watched.states.at(-1)).toEqual(
        expect.objectContaining({ kind: 'down', reason: expect.stringMatching(/error X{60}$/) as string }),
      )
      expect(fixture.logLines.join('\n')).not.toContain('cannot be used')
    })
  })
})

describe('the broker behind it', () => {
  it('that is not signed in is a transient error and retried', async () => {
    const answer = JSON.stringify({ status: 'error', code: 'BROKER_CONNECTION_ERROR', message: 'Session expired' })
    await withFeedFixture({ ...subject, dialect: { ...openAlgoDialect, received: (peer) => peer.send(answer) } }, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(20_000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'down', reason: expect.stringContaining('BROKER_CONNECTION_ERROR') as string })
      expect(fixture.exchange.dials.total).toBeGreaterThan(2)
    })
  })

  it('that has no candles of a step is reported', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const body = JSON.stringify({ status: 'success', data: { days: ['D'], hours: [], minutes: ['1m'] } })
      fixture.exchange.faults.http = ({ path }) => (path.endsWith('/intervals') ? { status: 200, body } : undefined)
      const ask = (step: '1m' | '1h') =>
        fixture.feed.history({ symbol: fixture.symbol, step, fromMs: fridayMs - 3_600_000, toMs: fridayMs })
      const [notified] = await Promise.all([Promise.allSettled([ask('1h'), ask('1m')]), fixture.exchange.play(3000)])
      expect(notified).toMatchObject([
        { reason: { kind: 'refused', message: 'The broker behind OpenAlgo has no candles of 1h' } },
        { status: 'fulfilled' },
      ])
      expect(fixture.exchange.requests.filter(({ path }) => path.endsWith('/intervals'))).toHaveLength(1)
    })
  })
})

describe('an index', () => {
  it('has correct minutes and no volume, whatever the broker sends', async () => {
    const dialect = {
      ...openAlgoDialect,
      symbols: ['NSE_INDEX:NIFTY', 'NSE:RELIANCE'],
      sessionClass: 'nse-index',
      hasVolume: false,
    } as const
    await withFeedFixture({ ...subject, dialect }, async (fixture) => {
      const followed = fixture.follow()
      await fixture.exchange.play(5 * 60_000)
      expectTrueMinutes(fixture, followed, 20_000)
      expect(followed.minutes.every(({ candle }) => candle.volume === null)).toBe(true)
      followed.stop()
    })
  })
})

describe('an invalid quote', () => {
  it('without a price is skipped and counted for its symbol, without another history request', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => fixture.watch(symbol))
      await fixture.exchange.play(5000)
      const empty = JSON.stringify({ type: 'market_data', exchange: 'NSE', symbol: 'RELIANCE', mode: 2, data: { ltp: 0, volume: 0 } })
      fixture.exchange.faults.frame = (frame) => [empty, frame, empty]
      const receivedBefore = [one, other].map((received) => received?.trades.length ?? 0)
      await fixture.exchange.play(5 * 60_000)
      for (const [index, received] of [one, other].entries()) {
        expect(received?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
        expect(received?.trades.length).toBeGreaterThan(receivedBefore[index] ?? 0)
      }
      const truth = fixture.exchange.truth.trades(first).at(-1)
      expect(one?.trades.at(-1)).toMatchObject({ price: truth?.price })
      const lines = fixture.logLines.filter((line) => line.includes('cannot be used'))
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThanOrEqual(6)
    })
  })

  it('of another kind triggers a history request for its symbol only', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => fixture.watch(symbol))
      await fixture.exchange.play(5000)
      const broken = JSON.stringify({ type: 'market_data', exchange: 'NSE', symbol: 'RELIANCE', mode: 2, data: { ltp: '5' } })
      fixture.exchange.faults.frame = (frame) => [frame, broken]
      await fixture.exchange.play(5 * 60_000)
      expect(one?.states.filter(({ kind }) => kind === 'live').length).toBeGreaterThan(1)
      expect(other?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
    })
  })
})

describe('an instance URL with a path', () => {
  it('is used for requests', async () => {
    await withFeedFixture(
      {
        ...subject,
        make: (options) => openalgoFeed({ ...options, restUrl: `${options.restUrl}/algo/`, apiKey: openAlgoTestKey }),
      },
      async (fixture) => {
        const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
        await Promise.all([Promise.allSettled([history]), fixture.exchange.play(1000)])
        expect(fixture.exchange.requests.map(({ path }) => path)).toEqual(['/algo/api/v1/intervals'])
      },
    )
  })
})
