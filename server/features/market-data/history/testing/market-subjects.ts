// Every scripted provider with its adapter and an instrument that shows it.
import { binanceFeed } from '../../feeds/binance-feed.ts'
import { coinbaseFeed } from '../../feeds/coinbase-feed.ts'
import { kiteFeed } from '../../feeds/kite-feed.ts'
import { krakenFeed } from '../../feeds/kraken-feed.ts'
import { openalgoFeed } from '../../feeds/openalgo-feed.ts'
import { binanceDialect } from '../../feeds/testing/fake-binance-server.ts'
import { coinbaseDialect } from '../../feeds/testing/fake-coinbase-server.ts'
import { kiteDialect, kiteKeys } from '../../feeds/testing/fake-kite-server.ts'
import { krakenDialect } from '../../feeds/testing/fake-kraken-server.ts'
import { openAlgoDialect, openAlgoTestKey } from '../../feeds/testing/fake-openalgo-server.ts'
import { twelveDataDialect, twelveDataTestKey } from '../../feeds/testing/fake-twelve-data-server.ts'
import { yahooDialect } from '../../feeds/testing/fake-yahoo-server.ts'
import { twelveDataFeed } from '../../feeds/twelve-data-feed.ts'
import { yahooFeed } from '../../feeds/yahoo-feed.ts'
import type { MarketSubject } from './market-world.ts'

export const marketSubjects: readonly (readonly [string, MarketSubject])[] = [
  ['Binance', { dialect: binanceDialect, make: binanceFeed, staleAfterMs: 10_000, slug: 'btc-usdt', sessionClass: 'crypto' }],
  ['Binance as gold', { dialect: binanceDialect, make: binanceFeed, staleAfterMs: 10_000, slug: 'xau-usd', sessionClass: 'metals' }],
  ['Coinbase', { dialect: coinbaseDialect, make: coinbaseFeed, staleAfterMs: 60_000, slug: 'btc-usd', sessionClass: 'crypto' }],
  ['Kraken as a currency pair', { dialect: krakenDialect, make: krakenFeed, staleAfterMs: 60_000, slug: 'eur-usd', sessionClass: 'fx' }],
  [
    'Twelve Data',
    {
      dialect: twelveDataDialect,
      make: (options) => twelveDataFeed({ ...options, apiKey: twelveDataTestKey, credits: { perMinute: 600 } }),
      staleAfterMs: 15_000,
      slug: 'eur-usd',
      sessionClass: 'fx',
    },
  ],
  ['Yahoo', { dialect: yahooDialect, make: yahooFeed, staleAfterMs: 45_000, slug: 'reliance', sessionClass: 'nse-equity' }],
  [
    'Kite',
    {
      dialect: kiteDialect,
      make: (options) => kiteFeed({ ...options, ...kiteKeys }),
      staleAfterMs: 15_000,
      slug: 'reliance',
      sessionClass: 'nse-equity',
    },
  ],
  [
    'OpenAlgo',
    {
      dialect: openAlgoDialect,
      make: (options) => openalgoFeed({ ...options, apiKey: openAlgoTestKey }),
      staleAfterMs: 15_000,
      slug: 'reliance',
      sessionClass: 'nse-equity',
    },
  ],
]
