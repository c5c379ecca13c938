// The look at a real provider, tried on one of ours: it says what is wrong, and nothing where all is well.
import { describe, expect, test } from 'vitest'
import { binanceFeed } from '../binance.ts'
import { coinbaseFeed } from '../coinbase.ts'
import { binanceDialect } from './binance-dialect.ts'
import { coinbaseDialect } from './coinbase-dialect.ts'
import { feedWorld, type FeedSubject, type FeedWorld } from './feed-world.ts'
import { smokeFeed } from './smoke-feed.ts'

const binance: FeedSubject = { dialect: binanceDialect, make: binanceFeed, staleAfterMs: 10_000 }
const coinbase: FeedSubject = { dialect: coinbaseDialect, make: coinbaseFeed, staleAfterMs: 60_000 }

async function look(subject: FeedSubject, disturb: (world: FeedWorld) => void = () => undefined, startMs?: number): Promise<string[]> {
  const world = await feedWorld(subject, startMs)
  disturb(world)
  const { feed, symbol, clock, exchange } = world
  const { sessionClass } = subject.dialect
  const faults = smokeFeed({ feed, symbol, sessionClass, clock, withinMs: 90_000 })
  await exchange.play(300_000)
  return await faults
}

describe('a provider that has changed is told', () => {
  test.for<readonly [why: string, disturb: (world: FeedWorld) => void, fault: string]>([
    ['no such symbol', ({ exchange, symbol }) => exchange.faults.notOffered.add(symbol), 'no 1D history of BTCUSDT: Binance refused'],
    ['other answers', ({ exchange }) => (exchange.faults.http = () => ({ status: 200, body: '[[1]]' })), 'cannot be read'],
    ['empty answers', ({ exchange }) => (exchange.faults.http = () => ({ status: 200, body: '[]' })), 'no 1m candles of BTCUSDT'],
    ['a stream without prices', ({ exchange }) => (exchange.faults.frame = () => []), 'no live price of BTCUSDT within 90 s'],
    [
      'a refused connection',
      ({ exchange }) => (exchange.faults.refuseDialWith = 451),
      'BTCUSDT is refused: Binance does not serve this place',
    ],
  ])('%s', async ([, disturb, fault]) => {
    expect((await look(binance, disturb)).join('; ')).toContain(fault)
  })
})

describe('nothing is told', () => {
  test.for([binance, coinbase])('of $dialect.source as it is', async (subject) => {
    expect(await look(subject)).toEqual([])
  })

  test('of a closed market that has days and no minutes', async () => {
    const closed = { ...binance, dialect: { ...binanceDialect, sessionClass: 'nse-equity' as const } }
    // A Saturday, with trades of the Friday.
    expect(await look(closed, ({ exchange }) => (exchange.faults.frame = () => []), Date.parse('2026-11-21T06:30:10Z'))).toEqual([])
  })
})
