// What goes on for the workspace while charts are on the screen: keeping and restoring the place, and the alarm.
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { chartPathOf, findInstrument } from '#shared/market/instruments.ts'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
import { useShownMarket } from '#web/features/market/shown-market.ts'
import { searchOf, type Place } from '#web/features/market/use-place.ts'
import { useCloseAlarm } from '#web/features/workspace/use-close-alarm.ts'
import { useKeptPlace } from '#web/features/workspace/use-kept-place.ts'
import { paths } from '../paths.ts'

export interface WorkspaceKeeperProps {
  readonly userId: string
  readonly place: Place
  readonly isPremium: boolean
  /** The workspace is there, and what it brought back is on the screen. */
  readonly onArrive: () => void
}

/** Draws nothing, so that what it follows renders nothing else. */
export function WorkspaceKeeper({ userId, place, isPremium, onArrive }: WorkspaceKeeperProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { instrument, chosen, shown } = place
  const market = useShownMarket(instrument?.slug)
  const onRestore = useCallback(
    ({ slug, timeframe }: ChartPlace) => {
      const last = findInstrument(slug)
      // Nobody is led to a locked card.
      if (last === undefined || !(last.isFree || isPremium)) return false
      void navigate(chartPathOf(last) + searchOf(timeframe), { replace: true })
      return true
    },
    [isPremium, navigate],
  )
  const slug = instrument?.slug
  useKeptPlace({
    userId,
    place: slug === undefined ? undefined : { slug, timeframe: chosen },
    isBare: pathname === paths.home && search === '',
    onRestore,
    onArrive,
  })
  useCloseAlarm(
    instrument === undefined
      ? undefined
      : {
          label: instrument.label,
          timeframe: shown,
          sessionClass: market?.condition.sessionClass ?? instrument.sessionClass,
          clockOffsetMs: market?.clockOffsetMs,
        },
  )
  return null
}
