// Syncs the chart grid with the address, which is always that of the active chart.
import { useCallback, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { chartPathOf, findInstrument, freeSlug } from '#shared/instruments/instruments.ts'
import { withChoices, withGrid, withLinks, type Screen } from '#shared/workspace/screen.ts'
import type { CellChoices, ChartCell, GridSize } from '#shared/workspace/workspace.ts'
import { searchOf, useAddress } from '#web/features/chart/use-chart-route.ts'
import { useScreen } from '#web/features/workspace/use-screen.ts'
import { paths } from '../paths.ts'

export interface ChartGrid {
  readonly screen: Screen
  /** Number of the chart that existed before the others. */
  readonly first: number
  readonly activate: (at: number) => void
  readonly setGrid: (grid: GridSize) => void
  readonly setLinks: (links: Parameters<typeof withLinks>[1]) => void
  readonly choose: (at: number, choices: CellChoices) => void
  /** Opens a saved screen whose instruments are known. */
  readonly open: (screen: Screen) => void
  /** Call when the account's last chart has been restored. */
  readonly onArrive: () => void
}

/** Fixed user for the life of the component. */
export function useChartGrid(userId: string, isPremium: boolean): ChartGrid {
  const location = useLocation()
  const navigate = useNavigate()
  const { instrument, chosen } = useAddress()
  const cell = cellInState(location.state)
  const { screen, first, change, replace, adopt } = useScreen({
    userId,
    isAllowed: isPremium,
    place: { slug: instrument?.slug ?? freeSlug, timeframe: chosen },
    cell,
    addressKey: location.key,
  })
  const { pathname, search, hash } = location
  const { active, charts } = screen
  const hasNumber = charts.length === 1 || cell === active
  // Runs before anything else: otherwise this navigation would undo a pending Back.
  useLayoutEffect(() => {
    // So that Back returns to this chart, and not to its address in another one.
    if (!hasNumber) void navigate({ pathname, search, hash }, { replace: true, state: { cell: active } })
  }, [hasNumber, navigate, pathname, search, hash, active])
  const goTo = useCallback(
    (chart: ChartCell | undefined, at: number, isStep: boolean) => {
      const found = findInstrument(chart?.slug ?? '')
      if (chart === undefined || found === undefined) return
      // Synchronous: the user's next action is meant for that chart.
      void navigate(chartPathOf(found) + searchOf(chart.timeframe), { replace: !isStep, state: { cell: at }, flushSync: true })
    },
    [navigate],
  )
  const isBare = pathname === paths.home && search === ''
  const onArrive = useCallback(() => {
    const savedScreen = adopt(isBare)
    if (savedScreen !== undefined) goTo(savedScreen.charts[savedScreen.active], savedScreen.active, false)
  }, [adopt, isBare, goTo])
  return {
    screen,
    first,
    activate: (at) => {
      if (at !== active) goTo(charts[at], at, false)
    },
    setGrid: (grid) => change((before) => withGrid(before, grid)),
    setLinks: (links) => change((before) => withLinks(before, links)),
    choose: (at, choices) => change((before) => withChoices(before, at, choices)),
    open: (saved) => {
      if (isPremium) replace(saved)
      goTo(saved.charts[saved.active], saved.active, true)
    },
    onArrive,
  }
}

/** The chart number stored in the history entry; undefined for any other state. */
function cellInState(state: unknown): number | undefined {
  const cell = typeof state === 'object' && state !== null && 'cell' in state ? state.cell : undefined
  return typeof cell === 'number' ? cell : undefined
}
