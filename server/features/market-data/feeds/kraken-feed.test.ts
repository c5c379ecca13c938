// Kraken: the shared feed contract, and provider specifics.
import { describe, expect, test } from 'vitest'
import { krakenFeed, krakenHosts } from './kraken-feed.ts'
import { feedContract } from './testing/feed-contract.ts'
import { feedFixture, fridayMs } from './testing/feed-fixture.ts'
import { krakenDialect } from './testing/fake-kraken-server.ts'
import { longHistory } from './testing/long-history.ts'

const subject = { dialect: krakenDialect, make: krakenFeed, staleAfterMs: 60_000 }

describe('the contract of feeds', () => {
  feedContract(subject)
})

describe('Kraken itself', () => {
  test.for([
    ['EGeneral:Too many requests', 'limited'],
    ['EAPI:Rate limit exceeded', 'limited'],
    ['EService:Unavailable', 'unreachable'],
    ['EQuery:Unknown asset pair', 'refused'],
    ['EGeneral:Invalid arguments', 'refused'],
  ] as const)('a response with status 200 and %s is %s', async ([error, kind]) => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.http = () => ({ status: 200, body: JSON.stringify({ error: [error] }) })
    const outcome = Promise.allSettled([fixture.feed.history({ symbol: 'BTC/USD', step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })])
    await fixture.exchange.play(60_000)
    expect(await outcome).toMatchObject([{ status: 'rejected', reason: { kind } }])
  })

  test('history ends 720 candles back, whatever is requested', async () => {
    const long = await longHistory(subject)
    const expected = long.exchange.expected('BTC/USD', long.fromMs, long.toMs)
    const candles = await long.ask()
    expect(candles.length).toBeGreaterThan(500)
    expect(candles.length).toBeLessThan(720)
    expect(candles).toEqual(expected.slice(-candles.length))
  })

  test.for([
    ['BTC/USD', 'XBTUSD'],
    ['EUR/USD', 'EURUSD'],
    ['DOGE/USD', 'XDGUSD'],
  ] as const)('%s is %s in REST', async ([symbol, pair]) => {
    const fixture = await feedFixture(subject)
    const asked = Promise.allSettled([fixture.feed.history({ symbol, step: '1h', fromMs: fridayMs - 7_200_000, toMs: fridayMs })])
    await fixture.exchange.play(5000)
    await asked
    expect(fixture.exchange.requests.find(({ path }) => path.endsWith('OHLC'))?.query.get('pair')).toBe(pair)
  })

  test('the first trade of a minute closes the previous one with its last update', async () => {
    const fixture = await feedFixture(subject)
    const { minutes } = fixture.watch('BTC/USD')
    await fixture.exchange.play(300_000)
    const closed = minutes.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
    expect(closed.length).toBeGreaterThan(2)
    expect(closed).toEqual(fixture.exchange.expected('BTC/USD', closed[0]?.timeMs ?? 0, (closed.at(-1)?.timeMs ?? 0) + 1))
  })

  test('the default hosts', () => {
    expect(krakenHosts).toEqual({ restUrl: 'https://api.kraken.com', socketUrl: 'wss://ws.kraken.com' })
  })
})
