// Menu prices over a scripted connection.
import { expect, it } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import type { CandleRow, LiveCondition } from '#shared/market-data/live.ts'
import type { LiveListener, LiveRequest } from './live-listener.ts'
import { menuPrices, type MenuPrice } from './menu-prices.ts'

const row = (number: number, close: number): CandleRow => [number * dayMs, close, close, close, close, null, null]
const condition: LiveCondition = {
  label: { mode: 'demo', source: 'Demo', delayMinutes: 0, proxy: null },
  sessionClass: 'fx',
  isStale: false,
  reason: null,
}

function start() {
  const lines = new Map<string, { request: LiveRequest; listener: LiveListener }>()
  const shown: ReadonlyMap<string, MenuPrice>[] = []
  const waiting: (() => void)[] = []
  const stop = menuPrices({
    slugs: ['eur-usd', 'gbp-usd'],
    open: (request, listener) => {
      lines.set(request.slug, { request, listener })
      return () => void lines.delete(request.slug)
    },
    after: (_, run) => {
      waiting.push(run)
      return () => void waiting.splice(waiting.indexOf(run), 1)
    },
    onPrices: (prices) => shown.push(prices),
  })
  const line = (slug: string) => {
    const found = lines.get(slug)
    if (found === undefined) throw new Error(`no line for ${slug}`)
    return found
  }
  return { lines, shown, waiting, stop, line, pass: () => waiting.splice(0).forEach((run) => run()) }
}

it('shows no price before its label is known, and none without a label', () => {
  const { line, pass, shown } = start()
  line('eur-usd').listener.update([row(1, 1.1)])
  line('gbp-usd').listener.snapshot({ candles: [row(1, 1.3)], hasOlder: false, condition: { ...condition, label: null } })
  pass()
  expect(shown.at(-1)?.size).toBe(0)
  line('gbp-usd').listener.condition(condition)
  pass()
  expect([...(shown.at(-1)?.keys() ?? [])]).toEqual(['gbp-usd'])
})

it('requests two days and shows the change since the previous day, also over midnight', () => {
  const { line, pass, shown } = start()
  const { request, listener } = line('eur-usd')
  expect(request).toEqual({ slug: 'eur-usd', timeframe: '1D', bars: 2 })
  listener.snapshot({ candles: [row(1, 100), row(2, 101)], hasOlder: true, condition })
  pass()
  expect(shown.at(-1)?.get('eur-usd')).toMatchObject({ price: 101, isConnected: true })
  expect(shown.at(-1)?.get('eur-usd')?.changePercent).toBeCloseTo(1, 9)
  listener.update([row(2, 200), row(3, 100)])
  pass()
  expect(shown.at(-1)?.get('eur-usd')).toMatchObject({ price: 100, changePercent: -50 })
})

it('shows no change without a previous day', () => {
  const { line, pass, shown } = start()
  line('eur-usd').listener.snapshot({ candles: [row(1, 5)], hasOlder: false, condition })
  pass()
  expect(shown.at(-1)?.get('eur-usd')).toMatchObject({ price: 5, changePercent: null })
})

it('batches a burst into one update, reports a lost connection, and stops cleanly', () => {
  const { line, lines, waiting, pass, shown, stop } = start()
  line('eur-usd').listener.snapshot({ candles: [row(1, 5)], hasOlder: false, condition })
  for (let tick = 0; tick < 9; tick += 1) line('eur-usd').listener.update([row(1, tick + 6)])
  expect(waiting).toHaveLength(1)
  pass()
  expect(shown).toHaveLength(1)
  line('eur-usd').listener.connected(false)
  pass()
  expect(shown.at(-1)?.get('eur-usd')).toMatchObject({ price: 14, isConnected: false })
  line('eur-usd').listener.ended('premium-required', 'Premium user required')
  stop()
  pass()
  expect([lines.size, waiting.length, shown.length]).toEqual([0, 0, 2])
})
