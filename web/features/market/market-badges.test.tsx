// The badges on the screen: of the widget, of our own chart and of the menu, as load, network and time go on.
import { act } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { DataLabel } from '#shared/market/candles/candle.ts'
import { findInstrument, type Instrument } from '#shared/market/instruments.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { openingTime } from '#shared/market/sessions/opening-time.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { renderUi } from '#web/testing/render.tsx'
import { browserZone } from './browser-zone.ts'
import type { Stage } from './chart-stage.tsx'
import { ConditionBadge } from './condition-badge.tsx'
import { MenuPriceText } from './menu-price.tsx'
import { noteLiveOffset, noteServerTime, serverOffsetMs } from './server-clock.ts'
import { WidgetBadge } from './widget-badge.tsx'

const friday = '2026-11-20T12:00:00+05:30'
const sunday = '2026-11-22T12:00:00+05:30'
const closed = (opening: string) => `CLOSED (opens ${openingTime(Date.parse(opening), browserZone)})`
const fxClosed = closed('2026-11-22T17:00-05:00')

afterEach(() => {
  vi.restoreAllMocks()
  noteLiveOffset(undefined)
  noteServerTime(Date.now())
})

const shown = () => [...document.querySelectorAll('[data-testid=freshness] > span')].map((badge) => badge.textContent)

function instrument(slug: string): Instrument {
  const found = findInstrument(slug)
  if (found === undefined) throw new Error(`no ${slug}`)
  return found
}

function goOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

describe('the badge of the widget', () => {
  const draw = (stage: Stage, slug = 'eur-usd', proxy: string | null = null) =>
    renderUi(
      <WidgetBadge
        instrument={instrument(slug)}
        stage={stage}
        carries={instrument(slug).widget === 'live' ? 'live' : 'end-of-day'}
        proxy={proxy}
      />,
    )

  test.each<readonly [Stage, string, at: string, string[]]>([
    ['loading', 'eur-usd', friday, ['CONNECTING', 'TradingView']],
    ['unreachable', 'eur-usd', friday, ['TradingView']],
    ['no-data', 'eur-usd', friday, ['TradingView']],
    ['shown', 'eur-usd', friday, ['LIVE', 'TradingView']],
    ['shown', 'eur-usd', sunday, [fxClosed, 'TradingView']],
    ['shown', 'btc-usdt', sunday, ['LIVE', 'TradingView']],
    ['shown', 'sensex', friday, ['END OF DAY', 'TradingView']],
    ['loading', 'sensex', friday, ['CONNECTING', 'TradingView']],
  ])('while it is %s, of %s at %s', (stage, slug, at, texts) => {
    stopClock(at)
    draw(stage, slug)
    expect(shown()).toEqual(texts)
  })

  test('names what stands in for the instrument', () => {
    stopClock(friday)
    draw('shown', 'sensex', 'BSE index fund')
    expect(shown()).toEqual(['END OF DAY', 'PROXY: BSE index fund', 'TradingView'])
  })

  test('follows the network', () => {
    stopClock(friday)
    draw('shown')
    goOnline(false)
    expect(shown()[0]).toMatch(/^STALE: /)
    expect(shown()).not.toContain('LIVE')
    goOnline(true)
    expect(shown()).toEqual(['LIVE', 'TradingView'])
  })

  test('turns with the opening of the market', async () => {
    stopClock('2026-11-22T21:59:58Z')
    draw('shown')
    expect(shown()[0]).toBe(fxClosed)
    await act(() => passTime(3_000))
    expect(shown()[0]).toBe('LIVE')
  })

  test("goes by the server's clock where the browser's is wrong", async () => {
    stopClock('2026-11-22T20:30:00Z')
    draw('shown')
    expect(shown()[0]).toBe(fxClosed)
    noteServerTime(Date.now() + 2 * hourMs)
    await act(() => passTime(1_000))
    expect(shown()[0]).toBe('LIVE')
  })
})

describe('the badge of our own chart', () => {
  const condition = (label: Partial<DataLabel> | null, sessionClass: LiveCondition['sessionClass'], reason: string | null = null) => ({
    label: label === null ? null : { mode: 'live' as const, source: 'Kraken', delayMinutes: 0, proxy: null, ...label },
    sessionClass,
    isStale: false,
    reason,
  })

  test('says CONNECTING until something is known', () => {
    renderUi(<ConditionBadge market={undefined} />)
    expect(shown()).toEqual(['CONNECTING'])
  })

  test.each<readonly [string, LiveCondition, isConnected: boolean, at: string, string[]]>([
    ['an open market', condition({}, 'fx'), true, friday, ['LIVE', 'Kraken']],
    ['a closed market', condition({}, 'fx'), true, sunday, [fxClosed, 'Kraken']],
    ['no source', condition(null, 'fx', 'None.'), true, friday, ['None.']],
    [
      'a substitute',
      condition({ proxy: 'PAX Gold token (PAXG)' }, 'crypto'),
      true,
      friday,
      ['LIVE', 'PROXY: PAX Gold token (PAXG)', 'Kraken'],
    ],
    [
      'generated prices around the clock',
      condition({ mode: 'demo' }, 'crypto'),
      true,
      sunday,
      ['DEMO', 'Generated prices around the clock, no market data.'],
    ],
    [
      'generated prices in trading hours',
      condition({ mode: 'demo' }, 'nse-index'),
      true,
      friday,
      ['DEMO', 'Generated prices in trading hours, no market data.'],
    ],
  ])('of %s', (_name, known, isConnected, at, texts) => {
    stopClock(at)
    renderUi(<ConditionBadge market={{ condition: known, isConnected }} />)
    expect(shown()).toEqual(texts)
  })

  test('of a lost connection is STALE and not LIVE', () => {
    stopClock(friday)
    renderUi(<ConditionBadge market={{ condition: condition({}, 'fx'), isConnected: false }} />)
    expect(shown().map((text) => text?.slice(0, 6))).toEqual(['STALE:', 'Kraken'])
  })

  test('of prices for education says for what they may be used', () => {
    renderUi(
      <ConditionBadge market={{ condition: condition({ mode: 'education', delayMinutes: 43_200 }, 'nse-index'), isConnected: true }} />,
    )
    expect(shown()).toEqual(['DELAYED 30 days: For education only, not for trading.', 'For education only, not for trading.'])
  })

  test('is the same, but short, at a price of the menu', () => {
    stopClock(sunday)
    const price = { price: 1.1, changePercent: 0.5, condition: condition({}, 'fx'), isConnected: true }
    renderUi(<MenuPriceText instrument={instrument('eur-usd')} price={price} />)
    const menu = document.querySelector('[data-testid=menu-price]')
    expect(menu?.textContent).toMatch(/CLOSED$/)
    expect(menu?.querySelector('[title]')?.getAttribute('title')).toBe(fxClosed)
  })
})

describe("the server's clock", () => {
  test('is taken from responses where the difference is more than they take, and better from the live connection', () => {
    stopClock(friday)
    expect(serverOffsetMs()).toBe(0)
    noteServerTime(Date.now() - 1_500)
    expect(serverOffsetMs()).toBe(0)
    noteServerTime(Date.now() - 5 * minuteMs)
    expect(serverOffsetMs()).toBe(-5 * minuteMs)
    noteLiveOffset(-301_000)
    noteServerTime(Date.now() - 5 * minuteMs)
    expect(serverOffsetMs()).toBe(-301_000)
  })
})
