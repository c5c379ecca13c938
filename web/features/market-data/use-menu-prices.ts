// Live prices for the instruments of one group, for entitled users; the connection code is loaded on first use.
import { useEffect, useState } from 'react'
import type { Group } from '#shared/instruments/instruments.ts'
import { after } from '#web/lib/after.ts'
import { menuPrices, type MenuPrice } from './menu-prices.ts'

const none: ReadonlyMap<string, MenuPrice> = new Map()
/** Delay, so that the chart loads first. */
const headStartMs = 1_500

/** Prices by slug; empty while unknown or while `isEntitled` is false. */
export function useMenuPrices(group: Group, isEntitled: boolean): ReadonlyMap<string, MenuPrice> {
  const [prices, setPrices] = useState(none)
  useEffect(() => {
    if (!isEntitled) return undefined
    let stop: (() => void) | undefined
    let isOver = false
    const follow = async () => {
      const { watchQuotes } = await import('./live-candles.ts')
      if (!isOver) stop = menuPrices({ group, watchQuotes, onPrices: setPrices })
    }
    const cancel = after(headStartMs, () => void follow().catch(() => undefined))
    return () => {
      isOver = true
      cancel()
      stop?.()
      setPrices(none)
    }
  }, [group, isEntitled])
  return prices
}
