// Coinbase: the shared feed contract, and provider specifics.
import { describe, expect, test } from 'vitest'
import { coinbaseFeed, coinbaseHosts } from './coinbase-feed.ts'
import { coinbaseDialect } from './testing/fake-coinbase-server.ts'
import { feedContract } from './testing/feed-contract.ts'
import { feedFixture, fridayMs } from './testing/feed-fixture.ts'
import { longHistory } from './testing/long-history.ts'

const subject = { dialect: coinbaseDialect, make: coinbaseFeed, staleAfterMs: 60_000 }

describe('the contract of feeds', () => {
  feedContract(subject)
})

describe('Coinbase itself', () => {
  test('an invalid product is rejected without a request for it', async () => {
    const fixture = await feedFixture(subject)
    const asked = Promise.allSettled([fixture.feed.history({ symbol: '../orders', step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })])
    await fixture.exchange.play(1000)
    expect(await asked).toMatchObject([{ status: 'rejected', reason: { kind: 'refused' } }])
    expect(fixture.exchange.requests.map(({ path }) => path)).toEqual(['/time'])
  })

  test('a long history takes calls of at most 300 candles, within the rate limit', async () => {
    const long = await longHistory(subject)
    expect(await long.ask()).toEqual(long.exchange.expected('BTC-USD', long.fromMs, long.toMs))
    // Five, and one more wherever a response did not reach an end of its call.
    const calls = long.exchange.requests.filter(({ path }) => path.endsWith('candles')).length
    expect(calls).toBeGreaterThanOrEqual(5)
    expect(calls).toBeLessThanOrEqual(8)
  })

  test('the current minute is complete from the first moment, with the taker sides of its trades', async () => {
    const fixture = await feedFixture(subject, fridayMs + 30_000)
    const { trades, states } = fixture.watch('BTC-USD')
    await fixture.exchange.play(5000)
    expect(states.at(-1)?.kind).toBe('live')
    const truth = fixture.exchange.truth.trades('BTC-USD').filter(({ timeMs }) => timeMs >= fridayMs - 10_000)
    expect(trades.length).toBeGreaterThan(1)
    expect(trades).toEqual(truth)
  })

  test('trades that the stream lost are fetched by sequence number, and history is refetched', async () => {
    const fixture = await feedFixture(subject)
    const { trades, states } = fixture.watch('BTC-USD')
    await fixture.exchange.play(1000)
    let isLosing = true
    fixture.exchange.faults.frame = (frame, event) => (event !== undefined && isLosing ? [] : [frame])
    await fixture.exchange.play(20_000)
    isLosing = false
    await fixture.exchange.play(5000)
    expect(trades).toEqual(fixture.exchange.truth.trades('BTC-USD').filter(({ timeMs }) => timeMs >= fridayMs - 10_000))
    expect(states.filter(({ kind }) => kind === 'live').length).toBeGreaterThan(1)
    expect(states.map(({ kind }) => kind)).not.toContain('down')
  })

  test('live minutes keep their taker buy volume when history, which lacks it, is refetched', async () => {
    const fixture = await feedFixture(subject)
    const followed = fixture.follow()
    await fixture.exchange.play(6 * 60_000)
    const notified = new Map(followed.minutes.map(({ candle, isClosed }) => [candle.timeMs, { candle, isClosed }]))
    const receivedMs = fridayMs - 10_000
    const truth = fixture.exchange.truth
      .candles('BTC-USD', '1m')
      .filter(({ timeMs }) => timeMs >= receivedMs && timeMs < receivedMs + 5 * 60_000)
    expect(truth.length).toBeGreaterThan(3)
    expect(truth.map(({ timeMs }) => notified.get(timeMs))).toEqual(truth.map((candle) => ({ candle, isClosed: true })))
    followed.stop()
  })

  test('a quiet market on a live connection is not stale; a dead connection is', async () => {
    const fixture = await feedFixture({ ...subject, staleAfterMs: 15_000 }, fridayMs, fridayMs + 20_000)
    const followed = fixture.follow()
    await fixture.exchange.play(10 * 60_000)
    expect(followed.stale).toEqual([])
    expect(followed.sources).toEqual([{ source: { index: 0, source: 'coinbase' }, reason: null }])
    fixture.exchange.faults.isFrozen = true
    await fixture.exchange.play(20_000)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  test('heartbeats that report trades which never arrive prove nothing', async () => {
    const fixture = await feedFixture({ ...subject, staleAfterMs: 15_000 })
    const followed = fixture.follow()
    await fixture.exchange.play(30_000)
    fixture.exchange.faults.frame = (frame, event) => (event === undefined ? [frame] : [])
    fixture.exchange.faults.http = ({ path }) => (path.endsWith('/trades') ? 'hang' : undefined)
    await fixture.exchange.play(40_000)
    expect(followed.stale.at(-1)).toBe(true)
    followed.stop()
  })

  test('the default hosts', () => {
    expect(coinbaseHosts).toEqual({ restUrl: 'https://api.exchange.coinbase.com', socketUrl: 'wss://ws-feed.exchange.coinbase.com' })
  })
})
