// The bus inside one process: hub and web side call each other directly.
import type { BusListener, HubBus, MarketBus, SeriesState } from './bus.ts'

type ExtendAnswer = Parameters<HubBus['onExtend']>[0]

/** Both ends of a bus without a wire. */
export function memoryBus(): { bus: MarketBus; hub: HubBus } {
  const wanted = new Map<string, number>()
  const listeners = new Map<string, Set<BusListener>>()
  const states = new Map<string, SeriesState>()
  let tellWanted: (series: ReadonlySet<string>) => void = () => undefined
  let answerExtend: ExtendAnswer = () => Promise.resolve(false)

  function count(series: string, change: 1 | -1): void {
    const before = wanted.get(series) ?? 0
    const after = before + change
    if (after === 0) wanted.delete(series)
    else wanted.set(series, after)
    if (after === 0) states.delete(series)
    if (before === 0 || after === 0) tellWanted(new Set(wanted.keys()))
  }

  const bus: MarketBus = {
    want(series) {
      let isWanted = true
      count(series, 1)
      return () => {
        if (isWanted) count(series, -1)
        isWanted = false
      }
    },
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
      tellWanted = listener
      listener(new Set(wanted.keys()))
    },
    publish(state, update) {
      if (!wanted.has(update.series)) return
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
