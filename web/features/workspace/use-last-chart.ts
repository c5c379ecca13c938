// Last chart of the account: saved on navigation, and restored once after a sign-in at the root address.
import { useEffect, useRef, useState } from 'react'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
import { changePreferences, startPreferences, usePreferences } from '#web/lib/preferences.ts'
import { browserStorage, session, settingsPrefix } from '#web/lib/browser-storage.ts'

export interface LastChartOptions {
  readonly userId: string
  /** Current chart; undefined on other screens. */
  readonly place: ChartPlace | undefined
  /** True if the address names neither instrument nor timeframe; any other address wins over the saved chart. */
  readonly isBare: boolean
  /** Navigates to the saved chart; returns whether it does. */
  readonly onRestore: (last: ChartPlace) => boolean
  /** The workspace has loaded, and the saved chart is on the screen if it was restored. */
  readonly onArrive: () => void
}

/** Session for which this browser has already restored the chart. */
const restoredKey = `${settingsPrefix}restored`

/** Keeps the account's preferences in sync while mounted. */
export function useLastChart({ userId, place, isBare, onRestore, onArrive }: LastChartOptions): void {
  const isLoaded = usePreferences((preferences) => preferences.isLoaded)
  const last = usePreferences(({ workspace }) => workspace.last)
  const [isSettled, setIsSettled] = useState(false)
  const [left, setLeft] = useState<ChartPlace>()
  const arrived = useRef(place?.slug)
  useEffect(() => startPreferences(userId), [userId])
  useEffect(() => {
    if (!isLoaded || isSettled) return
    // Once, after the server has answered; saves must wait for it.
    // oxlint-disable-next-line react/set-state-in-effect
    setIsSettled(true)
    // Do not restore if the user has navigated meanwhile.
    const isFirst = isFirstOfSession() && isBare && place?.slug === arrived.current
    if (isFirst && last !== null && (last.slug !== place?.slug || last.timeframe !== place.timeframe) && onRestore(last)) setLeft(place)
  }, [isLoaded, isSettled, isBare, place, last, onRestore])
  const { slug, timeframe } = place ?? {}
  const hasArrived = isSettled && (left === undefined || left.slug !== slug || left.timeframe !== timeframe)
  useEffect(() => {
    if (hasArrived) onArrive()
  }, [hasArrived, onArrive])
  useEffect(() => {
    if (!isSettled || slug === undefined || timeframe === undefined) return
    changePreferences((before) => ({ ...before, last: { slug, timeframe } }))
  }, [isSettled, slug, timeframe])
}

/** True once per session; a few characters of its token identify a session. */
function isFirstOfSession(): boolean {
  const mark = session.token()?.slice(0, 8) ?? ''
  if (browserStorage.get(restoredKey) === mark) return false
  browserStorage.set(restoredKey, mark)
  return true
}
