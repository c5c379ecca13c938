// The smoke test of a real provider, run against a fake one: it reports problems, and nothing if all is well.
import { describe, expect, test } from 'vitest'
import { binanceFeed } from '../binance-feed.ts'
import { coinbaseFeed } from '../coinbase-feed.ts'
import { binanceDialect } from './fake-binance-server.ts'
import { coinbaseDialect } from './fake-coinbase-server.ts'
import { feedFixture, type FeedSubject, type FeedFixture } from './feed-fixture.ts'
import { smokeFeed } from './smoke-feed.ts'

const binance: FeedSubject = { dialect: binanceDialect, make: binanceFeed, staleAfterMs: 10_000 }
const coinbase: FeedSubject = { dialect: coinbaseDialect, make: coinbaseFeed, staleAfterMs: 60_000 }

async function look(subject: FeedSubject, disturb: (fixture: FeedFixture) => void = () => undefined, startMs?: number): Promise<string[]> {
  const fixture = await feedFixture(subject, startMs)
  disturb(fixture)
  const { feed, symbol, clock, exchange } = fixture
  const { sessionClass } = subject.dialect
  const issues = smokeFeed({ feed, symbol, sessionClass, clock, withinMs: 90_000 })
  await exchange.play(300_000)
  return await issues
}

describe('a changed provider is reported', () => {
  test.for<readonly [why: string, disturb: (fixture: FeedFixture) => void, issue: string]>([
    ['no such symbol', ({ exchange, symbol }) => exchange.faults.notOffered.add(symbol), 'no 1D history of BTCUSDT: Binance refused'],
    [
      'other answers',
      ({ exchange }) => (exchange.faults.http = () => ({ status: 200, body: '[[1]]' })),
      'a 1m row of BTCUSDT is not-a-number',
    ],
    ['unreadable rows', ({ exchange }) => (exchange.faults.http = () => ({ status: 200, body: '[{},{}]' })), 'no row can be read'],
    ['empty answers', ({ exchange }) => (exchange.faults.http = () => ({ status: 200, body: '[]' })), 'no 1m candles of BTCUSDT'],
    ['a stream without prices', ({ exchange }) => (exchange.faults.frame = () => []), 'no live price of BTCUSDT within 90 s'],
    [
      'a rejected connection',
      ({ exchange }) => (exchange.faults.rejectDialWith = 451),
      'BTCUSDT is refused: Binance does not serve this place',
    ],
  ])('%s', async ([, disturb, issue]) => {
    expect((await look(binance, disturb)).join('; ')).toContain(issue)
  })
})

describe('nothing is reported', () => {
  test.for([binance, coinbase])('for $dialect.source unchanged', async (subject) => {
    expect(await look(subject)).toEqual([])
  })

  test('for a closed market with days and without minutes', async () => {
    const closed = { ...binance, dialect: { ...binanceDialect, sessionClass: 'nse-equity' as const } }
    // A Saturday, with trades of the Friday.
    expect(await look(closed, ({ exchange }) => (exchange.faults.frame = () => []), Date.parse('2026-11-21T06:30:10Z'))).toEqual([])
  })
})
