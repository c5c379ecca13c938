// Loads our own chart and its prices while the provider has not answered yet, so that it is there at once if it takes over.
import { useEffect } from 'react'
import type { Timeframe } from '#shared/market/timeframe.ts'

/** A provider that is there answers sooner, and nothing is loaded in vain. */
const startAfterMs = 300
/** Long enough for the chart that takes over to ask for the same. */
const keepMs = 1_000

/** Undefined where there is nothing to load. */
export function useOwnDataAhead(chart: { readonly slug: string; readonly timeframe: Timeframe } | undefined): void {
  const { slug, timeframe } = chart ?? {}
  useEffect(() => {
    if (slug === undefined || timeframe === undefined) return undefined
    let isOver = false
    let close: () => void = () => undefined
    const timer = setTimeout(() => {
      Promise.all([import('./native/live-line.ts'), import('./native/native-stage.tsx')]).then(([{ liveLine }]) => {
        if (!isOver) close = liveLine.open({ slug, timeframe, bars: 1 }, deaf)
      }, ignore)
    }, startAfterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
      setTimeout(() => close(), keepMs)
    }
  }, [slug, timeframe])
}

/** The chart that takes over asks itself; what counts is that our server has the prices then. */
const deaf = { snapshot: ignore, update: ignore, condition: ignore, ended: ignore, connected: ignore }

function ignore(): void {}
