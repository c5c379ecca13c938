// Last prices of several instruments for a menu: each with its daily change, and never without its label.
import type { CandleRow, LiveCondition } from '#shared/market-data/live.ts'
import type { LiveListener, LiveRequest } from './live-listener.ts'

export interface MenuPrice {
  readonly price: number
  /** Change since the previous close, in percent; null where unknown. */
  readonly changePercent: number | null
  readonly condition: LiveCondition
  readonly isConnected: boolean
}

export interface MenuPricesOptions {
  readonly slugs: readonly string[]
  readonly open: (request: LiveRequest, listener: LiveListener) => () => void
  /** Calls back after a delay; returns a cancel function. */
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly onPrices: (prices: ReadonlyMap<string, MenuPrice>) => void
}

/** Minimum interval between menu updates: nothing faster is readable. */
const restMs = 300

/** Subscribes to the instruments until the returned function is called. */
export function menuPrices({ slugs, open, after, onPrices }: MenuPricesOptions): () => void {
  const prices = new Map<string, MenuPrice>()
  let cancel: (() => void) | undefined
  const notify = () => {
    cancel ??= after(restMs, () => {
      cancel = undefined
      onPrices(new Map(prices))
    })
  }
  const stops = slugs.map((slug) =>
    open(
      { slug, timeframe: '1D', bars: 2 },
      listenerOf((price) => {
        if (price === undefined) prices.delete(slug)
        else prices.set(slug, price)
        notify()
      }),
    ),
  )
  return () => {
    cancel?.()
    for (const stop of stops) stop()
  }
}

function listenerOf(set: (price: MenuPrice | undefined) => void): LiveListener {
  let days: readonly CandleRow[] = []
  let condition: LiveCondition | undefined
  let isConnected = true
  const notify = () => {
    const [last, before] = [days.at(-1), days.at(-2)]
    // Never show a price without a label.
    if (last === undefined || condition === undefined || condition.label === null) return set(undefined)
    const changePercent = before === undefined || before[4] <= 0 ? null : (last[4] / before[4] - 1) * 100
    return set({ price: last[4], changePercent, condition, isConnected })
  }
  return {
    snapshot(snapshot) {
      days = snapshot.candles.slice(-2)
      condition = snapshot.condition
      notify()
    },
    update(rows) {
      const stamps = new Set(rows.map(([timeMs]) => timeMs))
      days = [...days.filter(([timeMs]) => !stamps.has(timeMs)), ...rows].toSorted((one, other) => one[0] - other[0]).slice(-2)
      notify()
    },
    condition(next) {
      condition = next
      notify()
    },
    connected(next) {
      isConnected = next
      notify()
    },
    ended: () => set(undefined),
  }
}
