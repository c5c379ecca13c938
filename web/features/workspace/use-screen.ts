// Charts on this screen: as saved by this tab or the account, with the address applied to the active one.
import { useCallback, useEffect, useState } from 'react'
import { isPlain, oneChart, withActive, withKnownInstruments, withPlace, type Screen } from '#shared/workspace/screen.ts'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
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
  const [stored, setStored] = useState(() => withoutUnknown(readTabScreen(userId)))
  const [first, setFirst] = useState(stored?.active ?? 0)
  const [pending, setPending] = useState<{ readonly screen: Screen; readonly since: string }>()
  const hasArrived = pending !== undefined && pending.since !== addressKey
  if (hasArrived) setPending(undefined)
  const base = hasArrived ? pending.screen : stored
  const current = base === undefined || !isAllowed ? base : withPlace(withActive(base, cell ?? base.active), place)
  if (current !== stored) setStored(current)
  useEffect(() => {
    if (stored === undefined || !isAllowed) return
    keepTabScreen(userId, stored)
    const screen = isPlain(stored) ? null : stored
    changePreferences((before) => ({ ...before, screen }))
  }, [userId, isAllowed, stored])
  const { slug, timeframe } = place
  const adopt = useCallback(
    (isBare: boolean) => {
      if (stored !== undefined) return undefined
      const screen = withoutUnknown(preferencesNow().workspace.screen ?? undefined) ?? oneChart({ slug, timeframe })
      setFirst(screen.active)
      const active = screen.charts[screen.active]
      const isElsewhere = active?.slug !== slug || active.timeframe !== timeframe
      if (!isAllowed || !isBare || !isElsewhere) {
        setStored(screen)
        return undefined
      }
      setPending({ screen, since: addressKey })
      return screen
    },
    [stored, isAllowed, slug, timeframe, addressKey],
  )
  return {
    screen: current === undefined || !isAllowed ? oneChart(place) : current,
    first,
    change: (update) => setStored((before) => update(before ?? oneChart(place))),
    replace: (screen) => setPending({ screen, since: addressKey }),
    adopt,
  }
}

function withoutUnknown(screen: Screen | undefined): Screen | undefined {
  return screen && withKnownInstruments(screen)
}
