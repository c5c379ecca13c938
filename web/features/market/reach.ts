// The reach of the provider in this browser, one for all charts of the page.
import { listenerSet } from '#shared/base/listeners.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { widgetProbeUrl } from '#shared/market/widget-url.ts'
import { createSafeStorage } from '#web/lib/storage.ts'
import { site } from '#web/lib/site.ts'
import { widgetReach, type ReachState, type WidgetReach } from './widget-reach.ts'

export const reach: WidgetReach = widgetReach({
  probe,
  // The script tag fails by itself, and its page may connect to no other host.
  canProbe: site.tradingViewMount === 'iframe',
  kept: createSafeStorage(() => window.sessionStorage),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
})

/** Any answer will do, also one that a page may not read. */
async function probe(signal: AbortSignal): Promise<void> {
  const answer = await fetch(widgetProbeUrl, {
    mode: 'no-cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal,
  })
  await answer.body?.cancel()
}

export function useReach(): ReachState {
  return useSyncExternalStore(reach.onChange, reach.state)
}

let opened: string | undefined

/** A chart that is opened uses a provider that has recovered. */
export function noteOpened(chart: string): void {
  if (chart === opened) return
  opened = chart
  reach.adopt()
}

let needs = 0
const needListeners = listenerSet()

/** Finds out whether the provider can be reached as soon as a chart wants it. */
export function useStartReach(isWanted: boolean): void {
  useEffect(() => {
    if (isWanted) reach.start()
  }, [isWanted])
}

/** The page's notice is about charts that would be the widget. */
export function useNeedsWidget(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    count(1)
    return () => count(-1)
  }, [isNeeded])
}

/** Whether a chart on the screen would be the widget if the provider could be reached. */
export function useIsWidgetNeeded(): boolean {
  return useSyncExternalStore(needListeners.add, () => needs > 0)
}

function count(change: 1 | -1): void {
  needs += change
  needListeners.notify()
}
