// What the shell offers to the screen inside it.
import { useOutletContext } from 'react-router'
import type { User } from '#shared/users/user.ts'

export interface ShellContext {
  readonly user: User
  readonly isPremium: boolean
  readonly openPremium: () => void
}

export function useShell(): ShellContext {
  return useOutletContext<ShellContext>()
}
