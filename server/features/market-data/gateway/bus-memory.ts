// The in-process bus: hub and web side call each other directly.
import type { BusListener, HubBus, MarketBus, SeriesState } from './bus.ts'

type ExtendAnswer = Parameters<HubBus['onExtend']>[0]

/** Both ends of an in-process bus. */
export function memoryBus(): { bus: MarketBus; hub: HubBus } {
  const listeners = new Map<string, Set<BusListener>>()
  const states = new Map<string, SeriesState>()
  let notifyWanted: (series: ReadonlySet<string>) => void = () => undefined
  let answerExtend: ExtendAnswer = () => Promise.resolve(false)

  const requests = countedRequests((series, isWanted) => {
    if (!isWanted) states.delete(series)
    notifyWanted(requests.series())
  })

  const bus: MarketBus = {
    want: (series) => requests.add(series),
    listen(series, listener) {
      const all = listeners.get(series) ?? new Set()
      listeners.set(series, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0 && listeners.get(series) === all) listeners.delete(series)
      }
    },
    state: (series) => Promise.resolve(states.get(series)),
    extend: (series, timeframe, beforeMs) => answerExtend(series, timeframe, beforeMs),
    isConnected: () => true,
    isHubAway: () => false,
    close: () => Promise.resolve(),
  }
  const hub: HubBus = {
    onWanted(listener) {
      notifyWanted = listener
      listener(requests.series())
    },
    publish(state, update) {
      if (!requests.has(update.series)) return
      states.set(update.series, state)
      for (const listener of listeners.get(update.series) ?? []) listener.update(update)
    },
    onRestored: () => undefined,
    onExtend(answer) {
      answerExtend = answer
    },
    isAtWork: () => true,
    close: () => Promise.resolve(),
  }
  return { bus, hub }
}

/** Counts the requests of each series; `onChange` is called for the first one of a series, and after its last one ends. */
function countedRequests(onChange: (series: string, isWanted: boolean) => void) {
  const counts = new Map<string, number>()

  function change(series: string, by: 1 | -1): void {
    const before = counts.get(series) ?? 0
    const after = before + by
    if (after === 0) counts.delete(series)
    else counts.set(series, after)
    if (before === 0 || after === 0) onChange(series, after > 0)
  }

  return {
    series: (): ReadonlySet<string> => new Set(counts.keys()),
    has: (series: string): boolean => counts.has(series),
    /** Counts one request, until the returned function is called. */
    add(series: string): () => void {
      let isCounted = true
      change(series, 1)
      return () => {
        if (isCounted) change(series, -1)
        isCounted = false
      }
    },
  }
}
