// Live prices for the instruments of one group, for whoever may see them; the line is fetched with the first need of it.
import { useEffect, useState } from 'react'
import { menuOf, type Group } from '#shared/market/instruments.ts'
import { menuPrices, type MenuPrice } from './menu-prices.ts'

const none: ReadonlyMap<string, MenuPrice> = new Map()
/** The chart comes first. */
const headStartMs = 1_500

/** By slug; empty where nothing is known yet or `isEntitled` is false. */
export function useMenuPrices(group: Group, isEntitled: boolean): ReadonlyMap<string, MenuPrice> {
  const [prices, setPrices] = useState(none)
  useEffect(() => {
    if (!isEntitled) return undefined
    let stop: (() => void) | undefined
    let isOver = false
    const follow = async () => {
      const { liveLine } = await import('../native/live-line.ts')
      if (isOver) return
      stop = menuPrices({
        slugs: menuOf(group).map(({ slug }) => slug),
        open: (wish, listener) => liveLine.open(wish, listener),
        after,
        onPrices: setPrices,
      })
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

function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
