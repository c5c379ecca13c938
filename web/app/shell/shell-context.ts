// Outlet context that the shell gives to its screen.
import { useOutletContext } from 'react-router'
import type { User } from '#shared/users/user.ts'
import type { ChartGrid } from './use-chart-grid.ts'

export interface ShellContext {
  readonly user: User
  readonly isPremium: boolean
  readonly openPremium: () => void
  readonly grid: ChartGrid
}

export function useShell(): ShellContext {
  return useOutletContext<ShellContext>()
}
