// Binance: the shared feed contract, and provider specifics.
import { describe, expect, test } from 'vitest'
import { binanceFeed, binanceHosts } from './binance-feed.ts'
import { binanceDialect } from './testing/fake-binance-server.ts'
import { feedContract } from './testing/feed-contract.ts'
import { feedFixture } from './testing/feed-fixture.ts'
import { longHistory } from './testing/long-history.ts'

const subject = { dialect: binanceDialect, make: binanceFeed, staleAfterMs: 10_000 }

describe('the contract of feeds', () => {
  feedContract(subject)
})

describe('Binance itself', () => {
  test('the default hosts serve market data only', () => {
    expect(binanceHosts).toEqual({ restUrl: 'https://data-api.binance.vision', socketUrl: 'wss://data-stream.binance.vision' })
  })

  test('an invalid symbol is rejected without a request', async () => {
    const fixture = await feedFixture(subject)
    const asked = fixture.feed.history({ symbol: 'BTC/USDT&x=1', step: '1m', fromMs: 0, toMs: 1 })
    await expect(asked).rejects.toMatchObject({ kind: 'refused' })
    expect(fixture.exchange.requests).toEqual([])
  })

  test('a long history is paged by 1,000 without a duplicate at page boundaries', async () => {
    const long = await longHistory(subject)
    expect(await long.ask()).toEqual(long.exchange.expected('BTCUSDT', long.fromMs, long.toMs))
    expect(long.exchange.requests.filter(({ path }) => path.endsWith('klines'))).toHaveLength(2)
  })

  test('a local clock that runs ahead does not return a forming candle', async () => {
    const long = await longHistory(subject)
    long.exchange.faults.skewMs = -40_000
    const candles = await long.ask({ fromMs: long.toMs - 600_000, toMs: long.toMs + 600_000 })
    expect(candles.at(-1)).toEqual(long.exchange.expected('BTCUSDT', long.fromMs, long.toMs).at(-1))
  })

  test('simultaneous subscriptions are sent in one message, because the provider limits messages', async () => {
    const fixture = await feedFixture(subject)
    for (const symbol of binanceDialect.symbols) fixture.watch(symbol)
    await fixture.exchange.play(1000)
    expect(fixture.exchange.received.map(({ frame }) => JSON.parse(frame.toString()))).toEqual([
      { method: 'SUBSCRIBE', params: ['btcusdt@kline_1m', 'cakeusdt@kline_1m'], id: 1 },
    ])
  })
})
