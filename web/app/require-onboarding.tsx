// Blocking steps before every screen of a signed-in user: new password, required second factor, consent.
import { useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useUser } from '#web/features/auth/api.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { ScreenFailed } from '#web/ui/part-failed.tsx'
import { paths, visitorPaths } from './paths.ts'
import { screens } from './screens.tsx'

const ConsentBanner = fetched(async () => (await import('#web/features/privacy/consent-banner.tsx')).ConsentBanner)

/** Screens that are always accessible; a reset link from an email also replaces a temporary password. */
const open: readonly string[] = [...visitorPaths, paths.privacy]

/** Renders the children for visitors and for users without an open step. The server enforces access on its own. */
export function RequireOnboarding({ children }: { readonly children: ReactNode }) {
  const { user, retry } = useUser()
  const { pathname } = useLocation()
  // Until the last step: recovery codes are shown after the server already counts the factor as set up.
  const [setupOf, setSetupOf] = useState<string>()
  if (user?.mustAddSecondFactor === true && setupOf !== user._id) setSetupOf(user._id)
  if (user === undefined && setupOf !== undefined) setSetupOf(undefined)
  if (retry !== undefined && !open.includes(pathname)) return <ScreenFailed onRetry={retry} />
  if (user === undefined || open.includes(pathname)) return children
  if (user.mustChangePassword === true) return <screens.choosePassword />
  if (setupOf === user._id) return <screens.addSecondFactor onDone={() => setSetupOf(undefined)} />
  if (pathname === paths.account) return children
  if (user.consent === 'withdrawn') return <Navigate to={paths.account} replace />
  if (user.consent !== 'missing') return children
  return (
    // The page's skip link stays the first tab stop.
    <div className="flex h-dvh flex-col-reverse [--page-height:100%]">
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      <ConsentBanner accountPath={paths.account} />
    </div>
  )
}
