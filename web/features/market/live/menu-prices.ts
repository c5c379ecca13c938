// Last prices of several instruments for a menu: each with its change since the day before, and never without its label.
import type { CandleRow, LiveCondition } from '#shared/market/live.ts'
import type { LiveListener, LiveWish } from './live-socket.ts'

export interface MenuPrice {
  readonly price: number
  /** Since the close of the day before, in percent; null where that is not known. */
  readonly changePercent: number | null
  readonly condition: LiveCondition
  readonly isConnected: boolean
}

export interface MenuPricesNeeds {
  readonly slugs: readonly string[]
  readonly open: (wish: LiveWish, listener: LiveListener) => () => void
  /** Calls back later; returns the way to stop it. */
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly onPrices: (prices: ReadonlyMap<string, MenuPrice>) => void
}

/** So often at most a menu changes: nobody reads faster. */
const restMs = 300

/** Follows the instruments until the returned function is called. */
export function menuPrices({ slugs, open, after, onPrices }: MenuPricesNeeds): () => void {
  const prices = new Map<string, MenuPrice>()
  let cancel: (() => void) | undefined
  const tell = () => {
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
        tell()
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
  const tell = () => {
    const [last, before] = [days.at(-1), days.at(-2)]
    // A price without a label is no price.
    if (last === undefined || condition === undefined || condition.label === null) return set(undefined)
    const changePercent = before === undefined || before[4] <= 0 ? null : (last[4] / before[4] - 1) * 100
    return set({ price: last[4], changePercent, condition, isConnected })
  }
  return {
    snapshot(snapshot) {
      days = snapshot.candles.slice(-2)
      condition = snapshot.condition
      tell()
    },
    update(rows) {
      const stamps = new Set(rows.map(([timeMs]) => timeMs))
      days = [...days.filter(([timeMs]) => !stamps.has(timeMs)), ...rows].toSorted((one, other) => one[0] - other[0]).slice(-2)
      tell()
    },
    condition(next) {
      condition = next
      tell()
    },
    connected(next) {
      isConnected = next
      tell()
    },
    ended: () => set(undefined),
  }
}
