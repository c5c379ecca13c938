// Workspace tasks while charts are open: saving and restoring the last chart, and the candle alarm.
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { chartPathOf, findInstrument } from '#shared/instruments/instruments.ts'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
import { useMarketStatus } from '#web/features/market-data/market-status.ts'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { searchOf, type Place } from '#web/features/chart/use-chart-route.ts'
import { useShownHours } from '#web/features/chart/use-shown-hours.ts'
import { useCloseAlarm } from '#web/features/workspace/use-close-alarm.ts'
import { useLastChart } from '#web/features/workspace/use-last-chart.ts'
import { paths } from '../paths.ts'

export interface WorkspaceSyncProps {
  readonly userId: string
  readonly place: Place
  readonly isPremium: boolean
  /** The workspace has loaded and its chart is on the screen. */
  readonly onArrive: () => void
}

/** Renders nothing, so that its updates re-render nothing else. */
export function WorkspaceSync({ userId, place, isPremium, onArrive }: WorkspaceSyncProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { instrument, chosen, shown } = place
  const market = useMarketStatus(instrument?.slug)
  const sessionClass = useShownHours(place)
  const onRestore = useCallback(
    ({ slug, timeframe }: ChartPlace) => {
      const last = findInstrument(slug)
      // Never restore a chart that would be locked.
      if (last === undefined || !(last.isFree || isPremium)) return false
      void navigate(chartPathOf(last) + searchOf(timeframe), { replace: true })
      return true
    },
    [isPremium, navigate],
  )
  const slug = instrument?.slug
  useLastChart({
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
          sessionClass,
          clockOffsetMs: market?.clockOffsetMs ?? serverOffsetMs,
        },
  )
  return null
}
