// Preloads the Tezi chart and its prices while the provider has not answered, so that it can take over at once.
import { useEffect } from 'react'
import type { Timeframe } from '#shared/candles/timeframe.ts'

/** A reachable provider answers sooner, so nothing is loaded in vain. */
const startAfterMs = 300
/** Long enough for the replacement chart to make the same subscription. */
const keepMs = 1_000

/** Undefined where there is nothing to preload. */
export function useOwnDataAhead(chart: { readonly slug: string; readonly timeframe: Timeframe } | undefined): void {
  const { slug, timeframe } = chart ?? {}
  useEffect(() => {
    if (slug === undefined || timeframe === undefined) return undefined
    let isOver = false
    let close: () => void = () => undefined
    const timer = setTimeout(() => {
      Promise.all([import('#web/features/market-data/live-candles.ts'), import('./native/native-stage.tsx')]).then(([{ liveCandles }]) => {
        if (!isOver) close = liveCandles.open({ slug, timeframe, bars: 1 }, silent)
      }, ignore)
    }, startAfterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
      setTimeout(() => close(), keepMs)
    }
  }, [slug, timeframe])
}

/** Ignores all data: the chart subscribes itself; this only warms up the server. */
const silent = { snapshot: ignore, update: ignore, condition: ignore, ended: ignore, connected: ignore }

function ignore(): void {}
