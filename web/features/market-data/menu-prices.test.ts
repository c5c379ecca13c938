// Menu prices over a scripted connection.
import { expect, it } from 'vitest'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { QuoteListener } from './live-listener.ts'
import { menuPrices, type MenuPrice } from './menu-prices.ts'

const condition: LiveCondition = {
  label: { mode: 'demo', source: 'Demo', delayMinutes: 0, proxy: null },
  sessionClass: 'fx',
  isStale: false,
  reason: null,
}

function start() {
  let listener: QuoteListener | undefined
  const shown: ReadonlyMap<string, MenuPrice>[] = []
  const stop = menuPrices({
    group: 'FOREX',
    watchQuotes: (_group, next) => {
      listener = next
      return () => (listener = undefined)
    },
    onPrices: (prices) => shown.push(prices),
  })
  const line = (): QuoteListener => {
    if (listener === undefined) throw new Error('no line')
    return listener
  }
  return { line, shown, stop, isOpen: () => listener !== undefined, last: () => Object.fromEntries(shown.at(-1) ?? []) }
}

it('shows no price without a label', () => {
  const { line, last } = start()
  line().quotes(
    [
      ['eur-usd', 1.1, 0.5, { ...condition, label: null }],
      ['gbp-usd', null, null, condition],
    ],
    true,
  )
  expect(last()).toEqual({})
  line().quotes([['gbp-usd', 2, 1, null]], true)
  expect(last()).toEqual({})
  line().quotes([['eur-usd', 1.1, 0.5, condition]], false)
  expect(last()).toEqual({ 'eur-usd': { price: 1.1, changePercent: 0.5, condition, isConnected: true } })
})

it('keeps what has not changed, and forgets what is no longer in the whole', () => {
  const { line, last } = start()
  line().quotes(
    [
      ['eur-usd', 1, 1, condition],
      ['gbp-usd', 2, null, condition],
    ],
    true,
  )
  line().quotes([['gbp-usd', 3, -1, null]], false)
  expect(last()).toMatchObject({ 'eur-usd': { price: 1 }, 'gbp-usd': { price: 3, changePercent: -1 } })
  line().quotes([['gbp-usd', 4, -1, condition]], true)
  expect(Object.keys(last())).toEqual(['gbp-usd'])
})

it('reports a lost connection once, and stops', () => {
  const { line, last, shown, stop, isOpen } = start()
  line().connected(true)
  line().quotes([['eur-usd', 1, 1, condition]], true)
  line().connected(false)
  line().connected(false)
  expect(last()).toMatchObject({ 'eur-usd': { isConnected: false } })
  expect(shown).toHaveLength(2)
  stop()
  expect(isOpen()).toBe(false)
})
