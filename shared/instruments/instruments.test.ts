// Menu, addresses and the free chart.
import { describe, expect, it } from 'vitest'
import { chartPaths, findInstrument, findInstrumentAt, freeSlug, groups, instruments, menuOf } from './instruments.ts'

describe('menu', () => {
  it('has four groups in this order [spec 2.6]', () => {
    expect(groups).toEqual(['FOREX', 'CRYPTO', 'FUTURE', 'STOCKS'])
  })

  it.each([
    ['FOREX', ['EUR/USD', 'GBP/USD', 'EUR/GBP', 'USD/CAD', 'USD/JPY', 'CAD/JPY', 'AUD/USD', 'GBP/JPY', 'EUR/JPY']],
    ['CRYPTO', ['BTC/USD', 'BTC/USDT', 'XAU/USD', 'BITCOIN', 'CAKE/USDT', 'ETH/USDT', 'DOGE/USDT']],
    ['FUTURE', ['SENSEX']],
    ['STOCKS', ['TATA MOTORS', 'RELIANCE', 'TATA STEEL', 'HAVELLS', 'BAJAJ FINANCE']],
  ] as const)('%s lists its instruments in order', (group, labels) => {
    expect(menuOf(group).map((instrument) => instrument.label)).toEqual(labels)
  })
})

describe('instrument registry', () => {
  it('gives every chart its address [spec 2.4]', () => {
    expect([...chartPaths].toSorted()).toEqual(
      [
        ['/', '/eur-usd', '/gbp-usd', '/eur-gbp', '/usd-cad', '/usd-jpy', '/cad-jpy', '/aud-usd', '/gbp-jpy', '/eur-jpy'],
        ['/btc-usd', '/btc-usdt', '/xau-usd', '/bitcoin', '/cake-usdt', '/eth-usdt', '/doge-usdt', '/sensex'],
        ['/tata-motors', '/reliance', '/tata-steel', '/havells', '/bajaj-finance'],
        ['/es', '/nifty50', '/gold-future', '/banknifty', '/finnifty'],
      ]
        .flat()
        .toSorted(),
    )
  })

  it('frees the default chart and the other name of its prices, and no other [spec 2.3]', () => {
    expect(instruments.filter((instrument) => instrument.isFree).map((instrument) => instrument.slug)).toEqual([freeSlug, 'nifty50'])
    expect(findInstrumentAt('/')?.slug).toBe(freeSlug)
    expect(findInstrumentAt('/nifty50')?.slug).toBe('nifty50')
  })

  it.each([
    ['bitcoin', 'COINBASE:BTCUSD', 'live'],
    ['xau-usd', 'OANDA:XAUUSD', 'live'],
    ['sensex', 'BSE:SENSEX', 'end-of-day'],
    ['tata-motors', 'BSE:TMPV', 'end-of-day'],
    ['es', 'CME_MINI:ES1!', 'none'],
    ['gold-future', 'COMEX:GC1!', 'none'],
    ['nifty', 'NSE:NIFTY', 'none'],
    ['banknifty', 'NSE:BANKNIFTY', 'none'],
  ])('%s shows %s, %s in the widget [spec 2.5]', (slug, symbol, widget) => {
    expect(findInstrument(slug)).toMatchObject({ symbol, widget })
  })

  it('explains the Tata Motors demerger', () => {
    expect(findInstrument('tata-motors')?.note).toContain('October 2025')
    expect(instruments.filter((instrument) => instrument.note !== null)).toHaveLength(1)
  })

  it.each(['', 'EUR-USD', '__proto__', '/eur-usd', 'admin'])('has no instrument %j', (slug) => {
    expect(findInstrument(slug)).toBeUndefined()
  })

  it.each(['/nifty', '/admin', '', '/EUR-USD'])('has no chart at %j', (path) => {
    expect(findInstrumentAt(path)).toBeUndefined()
  })
})
