// Charts on this screen: as saved by this tab or the account, with the address applied to the active one.
import { useCallback, useEffect, useState } from 'react'
import { isPlain, oneChart, withActive, withKnownInstruments, withPlace } from '#shared/workspace/screen-rules.ts'
import type { ChartPlace, Screen } from '#shared/workspace/workspace.ts'
import { changePreferences, keepTabScreen, preferencesNow, readTabScreen } from '#web/lib/preferences.ts'

export interface ScreenOptions {
  readonly userId: string
  /** Whether the account may use several charts; otherwise the saved screen is kept but not shown. */
  readonly isAllowed: boolean
  /** Chart in the address. */
  readonly place: ChartPlace
  /** Number of the chart that the address belongs to; undefined for the active one. */
  readonly cell: number | undefined
  /** Changes on every navigation. */
  readonly addressKey: string
}

export interface ScreenControl {
  readonly screen: Screen
  /** Number of the chart that existed before the others, and must not be remounted. */
  readonly first: number
  readonly change: (update: (screen: Screen) => Screen) => void
  /** Shows another screen of known instruments once the address has changed, which must be to its active chart. */
  readonly replace: (screen: Screen) => void
  /**
   * Applies the account's saved screen, unless this tab has one. If the address names no chart, it must not replace a saved
   * one: then this returns the saved screen, to whose active chart the caller must navigate first.
   */
  readonly adopt: (isBare: boolean) => Screen | undefined
}

/** Fixed user for the life of the component. */
export function useScreen({ userId, isAllowed, place, cell, addressKey }: ScreenOptions): ScreenControl {
  const [kept, setKept] = useState(() => known(readTabScreen(userId)))
  const [first, setFirst] = useState(kept?.active ?? 0)
  const [awaited, setAwaited] = useState<{ readonly screen: Screen; readonly since: string }>()
  const hasArrived = awaited !== undefined && awaited.since !== addressKey
  if (hasArrived) setAwaited(undefined)
  const base = hasArrived ? awaited.screen : kept
  const current = base === undefined || !isAllowed ? base : withPlace(withActive(base, cell ?? base.active), place)
  if (current !== kept) setKept(current)
  useEffect(() => {
    if (kept === undefined || !isAllowed) return
    keepTabScreen(userId, kept)
    const screen = isPlain(kept) ? null : kept
    changePreferences((before) => ({ ...before, screen }))
  }, [userId, isAllowed, kept])
  const { slug, timeframe } = place
  const adopt = useCallback(
    (isBare: boolean) => {
      if (kept !== undefined) return undefined
      const screen = known(preferencesNow().workspace.screen ?? undefined) ?? oneChart({ slug, timeframe })
      setFirst(screen.active)
      const active = screen.charts[screen.active]
      const isElsewhere = active?.slug !== slug || active.timeframe !== timeframe
      if (!isAllowed || !isBare || !isElsewhere) {
        setKept(screen)
        return undefined
      }
      setAwaited({ screen, since: addressKey })
      return screen
    },
    [kept, isAllowed, slug, timeframe, addressKey],
  )
  return {
    screen: current === undefined || !isAllowed ? oneChart(place) : current,
    first,
    change: (update) => setKept((before) => update(before ?? oneChart(place))),
    replace: (screen) => setAwaited({ screen, since: addressKey }),
    adopt,
  }
}

function known(screen: Screen | undefined): Screen | undefined {
  return screen && withKnownInstruments(screen)
}
