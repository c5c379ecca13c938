// Sign-in and sign-up screen; the address decides which.
import { useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { isAdminPath } from '#shared/is-page.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { LoginPanel } from '#web/features/auth/login-panel.tsx'
import { useFinishSignIn } from '#web/features/auth/use-login.ts'
import { PasswordLinkForm } from '#web/features/auth/password-link-form.tsx'
import { ConsentFields } from '#web/features/privacy/consent-fields.tsx'
import { site } from '#web/lib/site.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { preloadToaster } from '#web/ui/toaster.tsx'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'
import { landingText } from '#shared/landing/text/en.ts'
import chartUrl from '#web/features/landing/pictures/sign-in.avif'

// A toast about a lost connection could not load its code when it is needed.
preloadToaster()

const CodeForm = fetched(async () => (await import('#web/features/auth/factors/code-form.tsx')).CodeForm)

interface CodeStep {
  readonly challenge?: string
  /** As typed, also back at the password. */
  readonly email: string
}

/** Signed-in users are redirected to the dashboard. */
export function LoginScreen() {
  const { user } = useUser()
  const navigate = useNavigate()
  const mode = useSearchParams()[0].get('mode')
  const isNew = mode === 'sign-up'
  const isLink = site.hasMail && mode === 'password-link'
  // Set after a correct password; cleared when the form changes.
  const [{ challenge, email }, setCode] = useState<CodeStep>({ email: '' })
  const isCode = challenge !== undefined && mode === null
  const target = useReturn()
  const enter = () => void navigate(target, { replace: true })
  const finish = useFinishSignIn(enter)
  const title = isCode ? loginText.codeTitle : isLink ? accountText.linkTitle : isNew ? loginText.signUpTitle : loginText.signInTitle
  useTitle(title)

  if (user !== undefined) return <Navigate to={target} replace />
  return (
    <div data-island className="grid min-h-dvh grid-rows-[auto_1fr]">
      <PlainHeader>
        <p className="flex items-baseline gap-2 text-13 text-text-2">
          <span className="max-sm:sr-only">{isNew ? loginText.haveAccount : loginText.newHere}</span>
          <ModeLink isNew={isNew} />
        </p>
      </PlainHeader>
      <div className="grid lg:grid-cols-[minmax(26rem,5fr)_6fr]">
        <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
          <div className="mx-auto w-full max-w-sm">
            <h1 className="mb-6 text-28 leading-tight font-semibold tracking-tight">{title}</h1>
            {isCode ? (
              <CodeForm challenge={challenge} onSignedIn={finish} onRestart={() => setCode({ email })} />
            ) : isLink ? (
              <PasswordLinkForm />
            ) : (
              <LoginPanel
                mode={isNew ? 'sign-up' : 'sign-in'}
                onEnter={enter}
                email={email}
                onChallenge={(next, typed) => setCode({ challenge: next, email: typed })}
                onSignedUp={() => navigate(paths.login, { replace: true, state: { back: target } })}
                passwordLink={paths.passwordLink}
                renderConsent={(step) => <ConsentFields {...step} />}
              />
            )}
            <p className="mt-6 flex items-baseline gap-2 border-t border-line pt-4 text-13 text-text-2">
              {isLink ? accountText.linkRemembered : isNew ? loginText.haveAccount : loginText.newHere}
              <ModeLink isNew={isNew || isLink} />
            </p>
            <p className="mt-2 text-12">
              <Link
                to={paths.privacy}
                className="rounded-control text-text-3 underline underline-offset-2 hover:text-text pointer-coarse:py-3"
              >
                {privacyText.noticeTitle}
              </Link>
            </p>
          </div>
        </main>
        <LoginAside />
      </div>
    </div>
  )
}

/** The admin page that asked for the sign-in, or the dashboard. */
function useReturn(): string {
  const { state } = useLocation() as { readonly state: unknown }
  const back = typeof state === 'object' && state !== null && 'back' in state ? state.back : undefined
  return typeof back === 'string' && isAdminPath(back) ? back : paths.home
}

function ModeLink({ isNew }: { readonly isNew: boolean }) {
  const back = useReturn()
  return (
    <Link
      to={isNew ? paths.login : paths.signUp}
      state={{ back }}
      replace
      className="rounded-control font-medium text-accent underline-offset-2 hover:underline pointer-coarse:py-3"
    >
      {isNew ? loginText.toSignIn : loginText.toSignUp}
    </Link>
  )
}

/** Hidden below 1024 px, where the form needs the space and the picture is not fetched. */
function LoginAside() {
  return (
    <aside aria-label={landingText.illustrative} className="flex flex-col border-l border-line max-lg:hidden">
      <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-12 text-text-2">
        <span className="text-13 font-semibold text-text">{landingText.pictureMarket}</span>
        {landingText.pictureTimeframe}
        <span className="ml-auto rounded-control border border-warn/50 px-1.5 py-px text-11 font-semibold text-warn">
          {landingText.demo}
        </span>
        {landingText.illustrative}
      </p>
      <div className="relative min-h-96 flex-1">
        <img
          src={chartUrl}
          alt={landingText.pictureAlts.chart}
          width={774}
          height={854}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover object-right-bottom"
        />
      </div>
    </aside>
  )
}
