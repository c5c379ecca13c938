// What comes before every screen of a signed-in person: an own password, a required second factor, and a word about consent.
import { useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useUser } from '#web/features/auth/api.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { paths } from './paths.ts'
import { AddSecondFactorScreen, ChoosePasswordScreen } from './screens.tsx'

const ConsentBanner = fetched(async () => (await import('#web/features/privacy/consent-banner.tsx')).ConsentBanner)

/** Screens that stay open whatever is missing; the link of a mail ends a temporary password as well. */
const open: readonly string[] = [paths.login, paths.privacy, paths.resetPassword, paths.confirmEmail]

/** Lets visitors and everybody who owes nothing through. The server refuses premium and admin calls by itself. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { user } = useUser()
  const { pathname } = useLocation()
  // Until its last step: recovery codes are shown when the server already counts it as set up.
  const [setupOf, setSetupOf] = useState<string>()
  if (user?.mustAddSecondFactor === true && setupOf !== user._id) setSetupOf(user._id)
  if (user === undefined && setupOf !== undefined) setSetupOf(undefined)
  if (user === undefined || open.includes(pathname)) return children
  if (user.mustChangePassword === true) return <ChoosePasswordScreen />
  if (setupOf === user._id) return <AddSecondFactorScreen onDone={() => setSetupOf(undefined)} />
  if (pathname === paths.account) return children
  if (user.consent === 'withdrawn') return <Navigate to={paths.account} replace />
  return (
    <>
      {children}
      {user.consent === 'missing' && <ConsentBanner accountPath={paths.account} />}
    </>
  )
}
