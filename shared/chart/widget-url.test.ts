// URL of the widget's frame: the provider's format, without any data about the user.
import { describe, expect, it } from 'vitest'
import { providerUrl, widgetUrl, widgetZone, type WidgetChoice } from './widget-url.ts'

const choice: WidgetChoice = { symbol: 'FX:EURUSD', timeframe: '15', zone: 'Asia/Calcutta', studies: ['STD;Pivot%1Points%1Standard'] }

describe('widget URL', () => {
  it('has the configuration in the fragment of the provider’s frame URL', () => {
    const url = new URL(widgetUrl(choice))
    expect(url.origin + url.pathname + url.search).toBe('https://www.tradingview-widget.com/embed-widget/advanced-chart/?locale=en')
    expect(JSON.parse(decodeURIComponent(url.hash.slice(1)))).toMatchObject({
      symbol: 'FX:EURUSD',
      interval: '15',
      timezone: 'Asia/Kolkata',
      theme: 'dark',
      style: '1',
      hide_top_toolbar: true,
      hide_side_toolbar: true,
      studies: ['STD;Pivot%1Points%1Standard'],
    })
  })

  it('encodes what would break out of the fragment', () => {
    const fragment = widgetUrl({ ...choice, symbol: 'A#B%"&' })
      .split('#')
      .slice(1)
      .join('#')
    expect(fragment).not.toMatch(/[#"&{}]/)
    expect(JSON.parse(decodeURIComponent(fragment))).toMatchObject({ symbol: 'A#B%"&' })
  })

  it.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/London', 'Europe/London'],
    ['constructor', 'constructor'],
  ])('the zone %s is sent as %s', (zone, name) => {
    expect(widgetZone(zone)).toBe(name)
  })

  it('links to the same symbol on the provider’s site', () => {
    expect(providerUrl('CME_MINI:ES1!')).toBe('https://www.tradingview.com/chart/?symbol=CME_MINI%3AES1!')
  })
})
