// Yahoo against a fake server: the shared feed suite, and provider specifics.
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { feedContract } from './testing/feed-contract.ts'
import { fridayMs, type FeedSubject, type FeedFixture, withFeedFixture } from './testing/feed-fixture.ts'
import { yahooDialect } from './testing/fake-yahoo-server.ts'
import { yahooFeed } from './yahoo-feed.ts'

const subject: FeedSubject = { dialect: yahooDialect, make: (options) => yahooFeed(options), staleAfterMs: 45_000 }

const charts = (fixture: FeedFixture) => fixture.exchange.requests.filter(({ query }) => query.get('interval') !== '1mo')

feedContract(subject)

describe('polls', () => {
  it('of an unknown symbol report it and slow down', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const watched = fixture.watch('NOBODY.NS')
      await fixture.exchange.play(5 * minuteMs)
      expect(watched.states.at(-1)).toEqual({ kind: 'refused', reason: 'Yahoo Finance refused the request (404): it has no such symbol' })
      expect(fixture.exchange.requests).toHaveLength(1)
    })
  })

  it('that are rate limited back off, and resume when allowed', async () => {
    await withFeedFixture(subject, async (fixture) => {
      fixture.exchange.faults.http = () => ({ status: 429, body: 'Too Many Requests' })
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(10 * minuteMs)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'down', reason: 'Yahoo Finance takes no more requests for now' })
      expect(fixture.exchange.requests.length).toBeLessThan(20)
      fixture.exchange.faults.http = undefined
      await fixture.exchange.play(6 * minuteMs)
      expect(watched.states.at(-1)?.kind).toBe('live')
      expect(watched.minutes.length).toBeGreaterThan(0)
    })
  })

  it('run every fifteen seconds, once for all listeners of a symbol, and end with the last one', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const one = fixture.watch(fixture.symbol)
      const other = fixture.watch(fixture.symbol)
      await fixture.exchange.play(minuteMs)
      expect(fixture.exchange.requests).toHaveLength(4 + 1)
      expect(other.minutes).toEqual(one.minutes)
      one.stop()
      other.stop()
      await fixture.exchange.play(minuteMs)
      expect(fixture.exchange.requests).toHaveLength(5)
      expect(fixture.clock.nextDueMs()).toBeUndefined()
    })
  })

  it('emit a minute once, and again only if it has changed or closed', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const watched = fixture.watch(fixture.symbol)
      await fixture.exchange.play(4 * minuteMs)
      const notified = watched.minutes.map((minute) => JSON.stringify(minute))
      expect(new Set(notified).size).toBe(notified.length)
      const closed = watched.minutes.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
      expect(closed.slice(-2)).toEqual(fixture.exchange.expected(fixture.symbol, fridayMs - minuteMs, fridayMs + 4 * minuteMs).slice(-2))
    })
  })
})

describe('history', () => {
  it('of minutes goes back a month, in calls of a week', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 90 * dayMs, toMs: fridayMs })
      await fixture.exchange.play(5000)
      await history
      const spans = charts(fixture).map(({ query }) => Number(query.get('period2')) - Number(query.get('period1')))
      // Five, and one more wherever a response did not reach an end of its call.
      expect(spans).toHaveLength(8)
      expect(Math.max(...spans)).toBeLessThanOrEqual(7 * 86_400)
    })
  })

  it('is unadjusted for later splits, which are requested once', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const split = { date: Math.floor(fridayMs / 1000), numerator: 2, denominator: 1, splitRatio: '2:1' }
      const result = { meta: { symbol: fixture.symbol }, events: { splits: { [split.date]: split } }, indicators: { quote: [{}] } }
      const body = JSON.stringify({ chart: { result: [result], error: null } })
      fixture.exchange.faults.http = ({ query }) => (query.get('interval') === '1mo' ? { status: 200, body } : undefined)
      const ask = (fromMs: number) => fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs, toMs: fromMs + dayMs })
      const both = Promise.all([ask(fridayMs - dayMs - 4 * 60 * minuteMs), ask(fridayMs - 60 * minuteMs)])
      await fixture.exchange.play(5000)
      const [before, after] = await both
      const [truthBefore, truthAfter] = [before, after].map((list) =>
        fixture.exchange.expected(fixture.symbol, list[0]?.timeMs ?? 0, (list.at(-1)?.timeMs ?? 0) + 1),
      )
      expect(before.length).toBeGreaterThan(10)
      expect(before.map(({ close }) => close)).toEqual(truthBefore?.map(({ close }) => Number((close * 2).toFixed(4))))
      expect(after).toEqual(truthAfter)
      expect(fixture.exchange.requests.length - charts(fixture).length).toBe(1)
    })
  })

  it('requests the splits again when a day begins, as a share may be split on it', async () => {
    await withFeedFixture(subject, async (fixture) => {
      const ask = async () => {
        const history = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs - 60 * minuteMs, toMs: fridayMs })
        await fixture.exchange.play(5000)
        await history
        return fixture.exchange.requests.filter(({ query }) => query.get('interval') === '1mo').length
      }
      expect([await ask(), await ask()]).toEqual([1, 1])
      fixture.clock.stepWall(18 * 60 * minuteMs)
      expect(await ask()).toBe(2)
    })
  })
})
