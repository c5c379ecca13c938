// Reachability of the provider from this browser, shared by all charts of the page.
import { listenerSet } from '#shared/base/listeners.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { widgetProbeUrl } from '#shared/chart/widget-url.ts'
import { after } from '#web/lib/after.ts'
import { tabStorage } from '#web/lib/browser-storage.ts'
import { site } from '#web/lib/site.ts'
import { WidgetReach, type ReachState } from './widget-reach.ts'

export const reach = new WidgetReach({
  probe,
  // The script tag reports its own errors, and its page's CSP allows no other host.
  canProbe: site.tradingViewMount === 'iframe',
  kept: tabStorage,
  after,
  pageAgeMs: () => performance.now(),
})

/** Any response counts, opaque ones included. */
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

/** A newly opened chart uses a recovered provider. */
export function noteOpened(chart: string): void {
  if (chart === opened) return
  opened = chart
  reach.adopt()
}

let options = 0
const needListeners = listenerSet()

/** Probes the provider as soon as a chart needs it. */
export function useStartReach(isWanted: boolean): void {
  useEffect(() => {
    if (isWanted) reach.start()
  }, [isWanted])
}

/** Counts the charts that would use the widget, for the page's notice. */
export function useNeedsWidget(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    count(1)
    return () => count(-1)
  }, [isNeeded])
}

/** Whether a visible chart would use the widget if the provider were reachable. */
export function useIsWidgetNeeded(): boolean {
  return useSyncExternalStore(needListeners.add, () => options > 0)
}

function count(change: 1 | -1): void {
  options += change
  needListeners.notify()
}
