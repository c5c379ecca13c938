// Choice of the chart engine: every kind of listing with every state of our source and of the provider.
import { describe, expect, it } from 'vitest'
import { chooseChart, firstCharts, nativeSources, type ChartListing, type ChartRequest, type FirstChart } from './chart-choice.ts'
import { instruments, findInstrument } from '#shared/instruments/instruments.ts'
import { defaultSubstitutesOf } from './default-substitutes.ts'
import { isDailyOrLonger, knownTimeframes, timeframes, type Timeframe } from '#shared/candles/timeframe.ts'

/** `substitute-daily` has two: the first end of day, the second live. */
const listings = {
  live: { symbol: 'OWN', widget: 'live', substitutes: [] },
  daily: { symbol: 'OWN', widget: 'end-of-day', substitutes: [] },
  refused: { symbol: 'OWN', widget: 'none', substitutes: [] },
  'refused+live': { symbol: 'OWN', widget: 'none', substitutes: [{ symbol: 'CFD', title: 'A CFD', widget: 'live', sessionClass: 'fx' }] },
  'refused+both': {
    symbol: 'OWN',
    widget: 'none',
    substitutes: [
      { symbol: 'ETF', title: 'An ETF', widget: 'end-of-day', sessionClass: 'bse-index' },
      { symbol: 'CFD', title: 'A CFD', widget: 'live', sessionClass: 'fx' },
    ],
  },
} as const satisfies Record<string, Pick<ChartListing, 'symbol' | 'widget' | 'substitutes'>>

type Kind = keyof typeof listings

/** The columns of the tables; `end-of-day` is like `real`, but for stocks. */
const sources = ['real', 'demo', 'none'] as const

const up: Omit<ChartRequest, 'timeframe'> = { preference: 'automatic', isWidgetUp: true, hasNoData: () => false }

function choice(listing: ChartListing, request: ChartRequest): string {
  const chosen = chooseChart(listing, request)
  const symbol = chosen.engine === 'widget' ? `${chosen.symbol}${chosen.proxy === null ? '' : ' (proxy)'}` : chosen.engine
  return `${symbol} ${chosen.timeframe}${chosen.limit === undefined ? '' : `, ${chosen.limit}`}`
}

const listingOf = (kind: Kind, native: ChartListing['native'], firstChart: FirstChart = 'tradingview'): ChartListing => ({
  ...listings[kind],
  isStock: false,
  native,
  firstChart,
})

describe('Automatic', () => {
  type Row = readonly [kind: Kind, timeframe: Timeframe, real: string, demo: string, none: string]
  it.each<Row>([
    ['live', '1', 'OWN 1', 'OWN 1', 'OWN 1'],
    ['live', '1D', 'OWN 1D', 'OWN 1D', 'OWN 1D'],
    ['daily', '1', 'native 1', 'native 1', 'OWN 1D, end-of-day'],
    ['daily', '1W', 'OWN 1W', 'OWN 1W', 'OWN 1W'],
    ['refused', '1', 'native 1', 'native 1', 'none 1'],
    ['refused', '1D', 'native 1D', 'native 1D', 'none 1D'],
    ['refused+live', '5', 'native 5', 'CFD (proxy) 5', 'CFD (proxy) 5'],
    ['refused+both', '5', 'native 5', 'CFD (proxy) 5', 'CFD (proxy) 5'],
    ['refused+both', '1D', 'native 1D', 'CFD (proxy) 1D', 'CFD (proxy) 1D'],
  ])('%s at %s: with real prices %s, with demo %s, without %s', (kind, timeframe, ...expected) => {
    expect(sources.map((native) => choice(listingOf(kind, native), { ...up, timeframe }))).toEqual(expected)
  })

  it.each<Row>([
    ['live', '1', 'native 1', 'native 1', 'none 1'],
    ['daily', '1D', 'native 1D', 'native 1D', 'none 1D'],
    ['refused', '1', 'native 1', 'native 1', 'none 1'],
    ['refused+both', '1', 'native 1', 'native 1', 'none 1'],
  ])('while the provider is unreachable, %s at %s: %s, %s, %s', (kind, timeframe, ...expected) => {
    const request = { ...up, timeframe, isWidgetUp: false }
    expect(sources.map((native) => choice(listingOf(kind, native), request))).toEqual(expected)
  })

  it.each<Row>([
    ['live', '1', 'native 1', 'OWN 1', 'OWN 1'],
    ['daily', '1', 'native 1', 'native 1', 'OWN 1D, end-of-day'],
    ['daily', '1D', 'native 1D', 'OWN 1D', 'OWN 1D'],
    ['refused+live', '1', 'native 1', 'CFD (proxy) 1', 'CFD (proxy) 1'],
  ])('with the Tezi chart first, %s at %s: %s, %s, %s', (kind, timeframe, ...expected) => {
    expect(sources.map((native) => choice(listingOf(kind, native, 'tezi'), { ...up, timeframe }))).toEqual(expected)
  })

  type NoDataRow = readonly [kind: Kind, timeframe: Timeframe, empty: readonly string[], real: string, demo: string, none: string]
  it.each<NoDataRow>([
    ['live', '1', ['OWN 1'], 'native 1', 'native 1', 'none 1'],
    ['live', '5', ['OWN 1'], 'OWN 5', 'OWN 5', 'OWN 5'],
    ['refused+both', '1', ['CFD 1'], 'native 1', 'ETF (proxy) 1D, substitute-end-of-day', 'ETF (proxy) 1D, substitute-end-of-day'],
    ['refused+both', '1D', ['CFD 1D'], 'native 1D', 'ETF (proxy) 1D', 'ETF (proxy) 1D'],
    ['refused+both', '1', ['CFD 1', 'ETF 1D'], 'native 1', 'native 1', 'none 1'],
    ['daily', '1', ['OWN 1D'], 'native 1', 'native 1', 'none 1'],
  ])('%s at %s, where the widget has no candles of %j: %s, %s, %s', (kind, timeframe, empty, ...expected) => {
    const request: ChartRequest = { ...up, timeframe, hasNoData: (symbol, shown) => empty.includes(`${symbol} ${shown}`) }
    expect(sources.map((native) => choice(listingOf(kind, native), request))).toEqual(expected)
  })
})

describe('a user preference', () => {
  type Row = readonly [preference: 'tradingview' | 'tezi', kind: Kind, timeframe: Timeframe, real: string, demo: string, none: string]
  it.each<Row>([
    ['tezi', 'live', '1', 'native 1', 'native 1', 'none 1'],
    ['tezi', 'refused+both', '1D', 'native 1D', 'native 1D', 'none 1D'],
    ['tradingview', 'live', '1', 'OWN 1', 'OWN 1', 'OWN 1'],
    ['tradingview', 'daily', '1', 'OWN 1D, end-of-day', 'OWN 1D, end-of-day', 'OWN 1D, end-of-day'],
    ['tradingview', 'refused+both', '1', 'CFD (proxy) 1', 'CFD (proxy) 1', 'CFD (proxy) 1'],
    ['tradingview', 'refused', '1', 'native 1', 'native 1', 'none 1'],
  ])('%s for %s at %s gives %s, %s, %s, also while the provider is unreachable', (preference, kind, timeframe, ...expected) => {
    for (const isWidgetUp of [true, false])
      for (const firstChart of firstCharts) {
        const request = { ...up, preference, timeframe, isWidgetUp }
        expect(sources.map((native) => choice(listingOf(kind, native, firstChart), request))).toEqual(expected)
      }
  })

  it('TradingView shows another symbol if one has no candles, and the first one if none has', () => {
    const listing = listingOf('refused+both', 'real')
    const request: ChartRequest = { ...up, preference: 'tradingview', timeframe: '1', hasNoData: (symbol) => symbol === 'CFD' }
    expect(choice(listing, request)).toBe('ETF (proxy) 1D, substitute-end-of-day')
    expect(choice(listing, { ...request, hasNoData: () => true })).toBe('CFD (proxy) 1')
  })
})

describe('the instruments of the product', () => {
  const of = (slug: string, native: ChartListing['native']): ChartListing => {
    const instrument = findInstrument(slug)
    if (instrument === undefined) throw new Error(`no instrument ${slug}`)
    return {
      ...instrument,
      isStock: instrument.group === 'STOCKS',
      substitutes: defaultSubstitutesOf(slug),
      native,
      firstChart: 'tradingview',
    }
  }

  it.each<readonly [slug: string, atMinute: string, atDay: string]>([
    ['nifty', 'STONEXTRADING:INDIA50CFD (proxy) 1', 'STONEXTRADING:INDIA50CFD (proxy) 1D'],
    ['nifty50', 'STONEXTRADING:INDIA50CFD (proxy) 1', 'STONEXTRADING:INDIA50CFD (proxy) 1D'],
    ['es', 'FOREXCOM:SPX500 (proxy) 1', 'FOREXCOM:SPX500 (proxy) 1D'],
    ['gold-future', 'OANDA:XAUUSD (proxy) 1', 'OANDA:XAUUSD (proxy) 1D'],
    ['banknifty', 'BSE:BANKBEES (proxy) 1D, substitute-end-of-day', 'BSE:BANKBEES (proxy) 1D'],
    ['finnifty', 'BSE:BANKBEES (proxy) 1D, substitute-end-of-day', 'BSE:BANKBEES (proxy) 1D'],
    ['sensex', 'BSE:SENSEX 1D, end-of-day', 'BSE:SENSEX 1D'],
    ['reliance', 'BSE:RELIANCE 1D, end-of-day', 'BSE:RELIANCE 1D'],
    ['eur-usd', 'FX:EURUSD 1', 'FX:EURUSD 1D'],
  ])('%s without our own source is %s, and %s', (slug, atMinute, atDay) => {
    expect(choice(of(slug, 'none'), { ...up, timeframe: '1' })).toBe(atMinute)
    expect(choice(of(slug, 'none'), { ...up, timeframe: '1D' })).toBe(atDay)
  })

  const stocks = ['tata-motors', 'reliance', 'tata-steel', 'havells', 'bajaj-finance']

  it.each(stocks)('%s has all nine timeframes wherever its prices move', (slug) => {
    for (const native of ['real', 'demo'] as const)
      for (const preference of ['automatic', 'tezi'] as const)
        for (const timeframe of timeframes)
          expect(chooseChart(of(slug, native), { ...up, preference, timeframe })).toMatchObject({ timeframe, limit: undefined })
  })

  it.each(stocks)('%s is forced to 1D where its prices are end of day [spec 4.10]', (slug) => {
    for (const native of ['end-of-day', 'none'] as const)
      for (const timeframe of knownTimeframes) {
        const shown = isDailyOrLonger(timeframe) ? timeframe : '1D'
        const atProvider = { engine: 'widget', timeframe: shown }
        expect(chooseChart(of(slug, native), { ...up, timeframe })).toMatchObject(atProvider)
        expect(chooseChart(of(slug, native), { ...up, timeframe, preference: 'tradingview' })).toMatchObject(atProvider)
      }
    const own = (timeframe: Timeframe) => choice(of(slug, 'end-of-day'), { ...up, timeframe, preference: 'tezi' })
    expect(timeframes.map(own)).toEqual(timeframes.map((timeframe) => (timeframe === '1D' ? 'native 1D' : 'native 1D, daily-only')))
    expect(choice(of(slug, 'end-of-day'), { ...up, timeframe: '5', isWidgetUp: false })).toBe('native 1D, daily-only')
  })

  it('an index of an end-of-day source keeps the timeframes of its file', () => {
    expect(choice(of('nifty', 'end-of-day'), { ...up, timeframe: '5', preference: 'tezi' })).toBe('native 5')
  })

  it('one substitute serves all timeframes of a route that it has', () => {
    for (const { slug } of instruments) {
      const live = new Set(
        defaultSubstitutesOf(slug)
          .filter(({ widget }) => widget === 'live')
          .map(({ symbol }) => symbol),
      )
      if (live.size === 0) continue
      const symbols = knownTimeframes.map((timeframe) => chooseChart(of(slug, 'none'), { ...up, timeframe }))
      expect([slug, new Set(symbols.map((chosen) => chosen.engine === 'widget' && chosen.symbol)).size]).toEqual([slug, 1])
    }
  })

  it('all have a chart without our own source, and a shorter timeframe falls back to 1D only with a reason', () => {
    const all = instruments.flatMap(({ slug }) =>
      nativeSources.flatMap((native) => knownTimeframes.map((timeframe) => ({ listing: of(slug, native), timeframe }))),
    )
    for (const { listing, timeframe } of all) {
      const chosen = chooseChart(listing, { ...up, timeframe })
      expect(chosen.engine).not.toBe('none')
      expect(chosen.timeframe === timeframe).toBe(chosen.limit === undefined)
      expect(chosen.limit === 'daily-only').toBe(chosen.limit !== undefined && chosen.engine === 'native')
    }
  })
})
