// What comes before every screen of a signed-in person: an own password, and a word about consent.
import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useUser } from '#web/features/auth/api.ts'
import { paths } from './paths.ts'
import { ChoosePasswordScreen } from './screens.tsx'

const ConsentBanner = lazy(async () => ({ default: (await import('#web/features/privacy/consent-banner.tsx')).ConsentBanner }))

/** Screens that stay open whatever is missing; the link of a mail ends a temporary password as well. */
const open: readonly string[] = [paths.login, paths.privacy, paths.resetPassword]

/** Lets visitors and everybody who owes nothing through. The server refuses premium and admin calls by itself. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { user } = useUser()
  const { pathname } = useLocation()
  if (user === undefined || open.includes(pathname)) return children
  if (user.mustChangePassword === true) return <ChoosePasswordScreen />
  if (pathname === paths.account) return children
  if (user.consent === 'withdrawn') return <Navigate to={paths.account} replace />
  return (
    <>
      {children}
      {user.consent === 'missing' && (
        <Suspense fallback={null}>
          <ConsentBanner accountPath={paths.account} />
        </Suspense>
      )}
    </>
  )
}
