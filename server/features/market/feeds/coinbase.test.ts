// Coinbase: the contract of all feeds, and what is its own.
import { describe, expect, test } from 'vitest'
import { coinbaseFeed, coinbaseHosts } from './coinbase.ts'
import { coinbaseDialect } from './testing/coinbase-dialect.ts'
import { feedContract } from './testing/feed-contract.ts'
import { feedWorld, fridayMs } from './testing/feed-world.ts'
import { longHistory } from './testing/long-history.ts'

const subject = { dialect: coinbaseDialect, make: coinbaseFeed, staleAfterMs: 60_000 }

describe('the contract of feeds', () => {
  feedContract(subject)
})

describe('Coinbase itself', () => {
  test('a product that is no product is refused without a call for it', async () => {
    const world = await feedWorld(subject)
    const asked = Promise.allSettled([world.feed.history({ symbol: '../orders', step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })])
    await world.exchange.play(1000)
    expect(await asked).toMatchObject([{ status: 'rejected', reason: { kind: 'refused' } }])
    expect(world.exchange.requests.map(({ path }) => path)).toEqual(['/time'])
  })

  test('a long history comes in calls of at most 300 candles, within the rate', async () => {
    const long = await longHistory(subject)
    expect(await long.ask()).toEqual(long.exchange.expected('BTC-USD', long.fromMs, long.toMs))
    expect(long.exchange.requests.filter(({ path }) => path.endsWith('candles'))).toHaveLength(5)
  })

  test('the forming minute is whole from the first moment, with the sides of its trades', async () => {
    const world = await feedWorld(subject, fridayMs + 30_000)
    const { trades, states } = world.watch('BTC-USD')
    await world.exchange.play(5000)
    expect(states.at(-1)?.kind).toBe('live')
    const truth = world.exchange.truth.trades('BTC-USD').filter(({ timeMs }) => timeMs >= fridayMs - 10_000)
    expect(trades.length).toBeGreaterThan(1)
    expect(trades).toEqual(truth)
  })

  test('trades that a stream loses are fetched by their numbers, and history is asked', async () => {
    const world = await feedWorld(subject)
    const { trades, states } = world.watch('BTC-USD')
    await world.exchange.play(1000)
    let isLosing = true
    world.exchange.faults.frame = (frame, event) => (event !== undefined && isLosing ? [] : [frame])
    await world.exchange.play(20_000)
    isLosing = false
    await world.exchange.play(5000)
    expect(trades).toEqual(world.exchange.truth.trades('BTC-USD').filter(({ timeMs }) => timeMs >= fridayMs - 10_000))
    expect(states.filter(({ kind }) => kind === 'live').length).toBeGreaterThan(1)
    expect(states.map(({ kind }) => kind)).not.toContain('down')
  })

  test('minutes heard live keep what buyers took when history, which does not say it, has been asked again', async () => {
    const world = await feedWorld(subject)
    const followed = world.follow()
    await world.exchange.play(6 * 60_000)
    const told = new Map(followed.minutes.map(({ candle, isClosed }) => [candle.timeMs, { candle, isClosed }]))
    const heardMs = fridayMs - 10_000
    const truth = world.exchange.truth.candles('BTC-USD', '1m').filter(({ timeMs }) => timeMs >= heardMs && timeMs < heardMs + 5 * 60_000)
    expect(truth.length).toBeGreaterThan(3)
    expect(truth.map(({ timeMs }) => told.get(timeMs))).toEqual(truth.map((candle) => ({ candle, isClosed: true })))
    followed.stop()
  })

  test('a quiet market on a connection that lives is not stale; a silent connection is', async () => {
    const world = await feedWorld({ ...subject, staleAfterMs: 15_000 }, fridayMs, fridayMs + 20_000)
    const followed = world.follow()
    await world.exchange.play(10 * 60_000)
    expect(followed.stale).toEqual([])
    expect(followed.sources).toEqual([{ source: { index: 0, source: 'coinbase' }, reason: null }])
    world.exchange.faults.isFrozen = true
    await world.exchange.play(20_000)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  test('heartbeats that know of trades which do not come prove nothing', async () => {
    const world = await feedWorld({ ...subject, staleAfterMs: 15_000 })
    const followed = world.follow()
    await world.exchange.play(30_000)
    world.exchange.faults.frame = (frame, event) => (event === undefined ? [frame] : [])
    world.exchange.faults.http = ({ path }) => (path.endsWith('/trades') ? 'hang' : undefined)
    await world.exchange.play(40_000)
    expect(followed.stale.at(-1)).toBe(true)
    followed.stop()
  })

  test('the default hosts', () => {
    expect(coinbaseHosts).toEqual({ restUrl: 'https://api.exchange.coinbase.com', socketUrl: 'wss://ws-feed.exchange.coinbase.com' })
  })
})
