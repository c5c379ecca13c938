// Rendered badges of the widget, the Tezi chart and the menu through loading, network and time changes.
import { act } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { openingTime } from '#shared/trading-hours/market-state.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { renderUi } from '#web/testing/render.tsx'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import type { Stage } from './chart-stage.tsx'
import { ConditionBadge } from './market-status-badge.tsx'
import { MenuPriceText } from '#web/features/instruments/instrument-menu.tsx'
import { noteLiveTime, noteServerTime, serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { WidgetBadge } from './widget-badge.tsx'

const friday = '2026-11-20T12:00:00+05:30'
const sunday = '2026-11-22T12:00:00+05:30'
const closed = (opening: string) => `CLOSED (opens ${openingTime(Date.parse(opening), browserZone)})`
const fxClosed = closed('2026-11-22T17:00-05:00')

afterEach(() => {
  vi.restoreAllMocks()
  noteLiveTime(undefined)
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

describe('badge of the widget', () => {
  const draw = (stage: Stage, slug = 'eur-usd', proxy: string | null = null) =>
    renderUi(
      <WidgetBadge
        instrument={instrument(slug)}
        stage={stage}
        choice={{
          engine: 'widget',
          timeframe: '1',
          limit: undefined,
          symbol: 'X:Y',
          support: instrument(slug).widget === 'live' ? 'live' : 'end-of-day',
          proxy,
          sessionClass: null,
        }}
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
  ])('while %s, for %s at %s', (stage, slug, at, texts) => {
    stopClock(at)
    draw(stage, slug)
    expect(shown()).toEqual(texts)
  })

  test('shows which symbol substitutes the instrument', () => {
    stopClock(friday)
    draw('shown', 'sensex', 'BSE index fund')
    expect(shown()).toEqual(['END OF DAY', 'PROXY: BSE index fund', 'TradingView'])
  })

  test('changes with the network status', () => {
    stopClock(friday)
    draw('shown')
    goOnline(false)
    expect(shown()[0]).toMatch(/^STALE: /)
    expect(shown()).not.toContain('LIVE')
    goOnline(true)
    expect(shown()).toEqual(['LIVE', 'TradingView'])
  })

  test('changes when the market opens', async () => {
    stopClock('2026-11-22T21:59:58Z')
    draw('shown')
    expect(shown()[0]).toBe(fxClosed)
    await act(() => passTime(3_000))
    expect(shown()[0]).toBe('LIVE')
  })

  test("uses the server's clock where the browser's is wrong", async () => {
    stopClock('2026-11-22T20:30:00Z')
    draw('shown')
    expect(shown()[0]).toBe(fxClosed)
    noteServerTime(Date.now() + 2 * hourMs)
    await act(() => passTime(1_000))
    expect(shown()[0]).toBe('LIVE')
  })
})

describe('badge of the Tezi chart', () => {
  const condition = (label: Partial<DataLabel> | null, sessionClass: LiveCondition['sessionClass'], reason: string | null = null) => ({
    label: label === null ? null : { mode: 'live' as const, source: 'Kraken', delayMinutes: 0, proxy: null, ...label },
    sessionClass,
    isStale: false,
    reason,
  })

  test('shows CONNECTING until the state is known', () => {
    renderUi(<ConditionBadge market={undefined} />)
    expect(shown()).toEqual(['CONNECTING'])
  })

  test.each<readonly [string, LiveCondition, isConnected: boolean, at: string, string[]]>([
    ['an open market', condition({}, 'fx'), true, friday, ['LIVE', 'Kraken']],
    ['a closed market', condition({}, 'fx'), true, sunday, [fxClosed, 'Kraken']],
    ['no source, whose error is for admins', condition(null, 'fx', 'None.'), true, friday, []],
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
  ])('for %s', (_name, known, isConnected, at, texts) => {
    stopClock(at)
    renderUi(<ConditionBadge market={{ condition: known, isConnected }} />)
    expect(shown()).toEqual(texts)
  })

  test('shows STALE and not LIVE when the connection is lost', () => {
    stopClock(friday)
    renderUi(<ConditionBadge market={{ condition: condition({}, 'fx'), isConnected: false }} />)
    expect(shown().map((text) => text?.slice(0, 6))).toEqual(['STALE:', 'Kraken'])
  })

  test('states the permitted use of educational prices', () => {
    renderUi(
      <ConditionBadge market={{ condition: condition({ mode: 'education', delayMinutes: 43_200 }, 'nse-index'), isConnected: true }} />,
    )
    expect(shown()).toEqual(['DELAYED 30 days: For education only, not for trading.', 'For education only, not for trading.'])
  })

  test('is the same, but short, next to a menu price', () => {
    stopClock(sunday)
    const price = { price: 1.1, changePercent: 0.5, condition: condition({}, 'fx'), isConnected: true }
    renderUi(<MenuPriceText instrument={instrument('eur-usd')} price={price} />)
    const menu = document.querySelector('[data-testid=menu-price]')
    expect(menu?.textContent).toMatch(/CLOSED$/)
    expect(menu?.querySelector('[title]')?.getAttribute('title')).toBe(fxClosed)
  })
})

describe('server clock', () => {
  test('is measured from responses beyond their latency, and more accurately over the live connection', () => {
    stopClock(friday)
    expect(serverOffsetMs()).toBe(0)
    noteServerTime(Date.now() - 1_500)
    expect(serverOffsetMs()).toBe(0)
    noteServerTime(Date.now() - 5 * minuteMs)
    expect(serverOffsetMs()).toBe(-5 * minuteMs)
    noteLiveTime(Date.now() - 301_000)
    noteServerTime(Date.now() - 5 * minuteMs)
    expect(serverOffsetMs()).toBe(-301_000)
  })

  test('takes the largest offset, because a message can only be late, and follows a clock that was set', () => {
    stopClock(friday)
    noteLiveTime(Date.now() + 200)
    noteLiveTime(Date.now() - 1_800)
    expect(serverOffsetMs()).toBe(200)
    noteLiveTime(Date.now() + 500)
    expect(serverOffsetMs()).toBe(500)
  })

  test('forgets an offset that no later message confirms: a device clock up to 2 s ahead is wrong for five messages at most', () => {
    stopClock(friday)
    noteLiveTime(Date.now() + 200)
    for (let beat = 0; beat < 4; beat += 1) {
      noteLiveTime(Date.now() - 1_700)
      expect(serverOffsetMs()).toBe(200)
    }
    noteLiveTime(Date.now() - 1_700)
    expect(serverOffsetMs()).toBe(-1_700)
  })

  test.each([-hourMs, -900, 900, 20 * minuteMs])('notices at once that the device clock was set by %i ms', async (stepMs) => {
    stopClock(friday)
    noteLiveTime(Date.now() + 300)
    await passTime(5_000)
    vi.setSystemTime(Date.now() + stepMs)
    expect(serverOffsetMs()).toBe(300 - stepMs)
    noteLiveTime(Date.now() + 250 - stepMs)
    expect(serverOffsetMs()).toBe(stepMs < 0 ? 300 - stepMs : 250 - stepMs)
  })

  test('believes the device clock after sleep, in which its monotonic clock stood: at the next message, or soon without one', async () => {
    stopClock(friday)
    noteLiveTime(Date.now() + 300)
    vi.setSystemTime(Date.now() + 8 * hourMs)
    noteLiveTime(Date.now() + 310)
    expect(serverOffsetMs()).toBe(310)
    vi.setSystemTime(Date.now() + 8 * hourMs)
    expect(serverOffsetMs()).toBe(310 - 8 * hourMs)
    await passTime(12_000)
    expect(serverOffsetMs()).toBe(310)
  })
})
