// The charts on this screen: as this tab or the account left them, with what the address says in the active one.
import { useCallback, useEffect, useState } from 'react'
import { isSame } from '#shared/workspace/merge.ts'
import { isPlain, oneChart, withActive, withKnownInstruments, withPlace } from '#shared/workspace/screen-rules.ts'
import type { ChartPlace, Screen } from '#shared/workspace/workspace.ts'
import { keepTabScreen, readTabScreen } from './tab-screen.ts'
import { changeWorkspace, workspaceNow } from './workspace-store.ts'

export interface ScreenNeeds {
  readonly userId: string
  /** Whether this account may have more than one chart; without it nothing that was kept is shown or lost. */
  readonly isAllowed: boolean
  /** What the address shows. */
  readonly place: ChartPlace
  /** Number of the chart that the address is of; undefined where it is that of the active one. */
  readonly cell: number | undefined
  /** Another one after every move. */
  readonly addressKey: string
}

export interface ScreenControl {
  readonly screen: Screen
  /** Number of the chart that was there before the others, and must not be drawn anew for them. */
  readonly first: number
  readonly change: (update: (screen: Screen) => Screen) => void
  /** Shows another screen of known instruments as soon as the address has moved, which must be to its active chart. */
  readonly replace: (screen: Screen) => void
  /**
   * Takes what the account has kept, unless this tab has kept something itself. Where the address names no chart of its own it
   * must not replace a kept one: then this gives the chart that is to be gone to first.
   */
  readonly adopt: (isBare: boolean) => Screen | undefined
}

/** One user for the life of the component. */
export function useScreen({ userId, isAllowed, place, cell, addressKey }: ScreenNeeds): ScreenControl {
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
    changeWorkspace((before) => (isSame(before.screen, screen) ? before : { ...before, screen }))
  }, [userId, isAllowed, kept])
  const { slug, timeframe } = place
  const adopt = useCallback(
    (isBare: boolean) => {
      if (kept !== undefined) return undefined
      const screen = known(workspaceNow().workspace.screen ?? undefined) ?? oneChart({ slug, timeframe })
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
