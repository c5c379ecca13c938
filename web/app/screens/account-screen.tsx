// Account page: details, subscription and its history, password and sessions.
import { useCallback, useId, useState, type ReactNode } from 'react'
import { Link, Navigate } from 'react-router'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { brokersText } from '#shared/brokers/text/en.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { appText } from '#shared/app/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { ChangePassword } from '#web/features/auth/change-password.tsx'
import { ConfirmPasswordProvider } from '#web/features/auth/confirm-password-provider.tsx'
import { EmailSection } from '#web/features/auth/email-section.tsx'
import { TwoFactor } from '#web/features/auth/factors/two-factor.tsx'
import { SessionList } from '#web/features/auth/session-list.tsx'
import { YourData } from '#web/features/privacy/your-data.tsx'
import { OwnHistory, OwnSubscription } from '#web/features/subscriptions/own-subscription.tsx'
import { PremiumDialog } from '#web/features/subscriptions/premium-dialog.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { fetched } from '#web/ui/fetched.tsx'
import { ArrowLeftIcon } from '#web/ui/icon.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'
import { PageSkeleton } from './shell-skeleton.tsx'

// Lazy: few users have a broker, and the page is complete without one.
const BrokerSection = fetched(async () => (await import('#web/features/brokers/broker-section.tsx')).BrokerSection, null)
/** Where brokers are off, there is no heading either. */
const brokerFrame = (content: ReactNode) => (
  <Section title={brokersText.title} note={brokersText.note}>
    {content}
  </Section>
)

/** Signed-out users are redirected to the sign-in form. */
export function AccountScreen() {
  const { user, isLoading } = useUser()
  useTitle(text.title)
  if (isLoading) return <PageSkeleton />
  return user === undefined ? <Navigate to={paths.login} replace /> : <Account user={user} />
}

function Account({ user }: { readonly user: User }) {
  const [isBuying, setIsBuying] = useState(false)
  const close = useCallback(() => setIsBuying(false), [])
  return (
    <ConfirmPasswordProvider>
      <a href="#main" className="skip-link">
        {appText.skip}
      </a>
      <AccountHeader user={user} />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid max-w-4xl gap-10 px-4 pt-8 pb-[calc(2rem+var(--toasts,0px))] outline-none sm:px-6"
      >
        <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.title}</h1>
        <Section title={text.details}>
          <Details user={user} />
          <EmailSection />
        </Section>
        <Section title={text.subscription}>
          <OwnSubscription user={user} onWantPremium={() => setIsBuying(true)} />
        </Section>
        <Section title={text.history}>
          <OwnHistory email={user.email} />
        </Section>
        <Section title={text.password} note={text.passwordNote}>
          <ChangePassword email={user.email} />
        </Section>
        <Section title={factorsText.title} note={factorsText.note}>
          <TwoFactor />
        </Section>
        <Section title={text.sessions} note={text.sessionsNote}>
          <SessionList />
        </Section>
        <BrokerSection user={user} frame={brokerFrame} />
        <Section title={privacyText.yourData} note={privacyText.yourDataNote}>
          <YourData user={user} />
          <p className="text-13">
            <Link to={paths.privacy} className="rounded-control text-accent underline underline-offset-2 pointer-coarse:py-3">
              {privacyText.noticeTitle}
            </Link>
          </p>
        </Section>
      </main>
      <PremiumDialog isOpen={isBuying} onClose={close} user={user} />
    </ConfirmPasswordProvider>
  )
}

/** No way back to the charts for a user who has withdrawn the consent. */
function AccountHeader({ user }: { readonly user: User }) {
  const signOut = useSignOut()
  return (
    <header className="flex h-11 items-center justify-between border-b border-line bg-surface px-3">
      <Link to={paths.home} className="flex rounded-control pointer-coarse:py-2.5">
        <Logo />
        <span className="sr-only">{appText.homepage}</span>
      </Link>
      <div className="flex items-center gap-1">
        {user.consent !== 'withdrawn' && (
          <Link to={paths.home} className={buttonClass('quiet', 'small')}>
            <ArrowLeftIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
            {text.toCharts}
          </Link>
        )}
        <Button variant="quiet" size="small" isBusy={signOut.isPending} onClick={() => signOut.mutate({ email: user.email })}>
          {privacyText.signOut}
        </Button>
      </div>
    </header>
  )
}

function Details({ user }: { readonly user: User }) {
  const lines = [
    [text.name, user.name],
    [text.email, user.email],
    [text.phone, user.phone],
  ] as const
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
      {lines.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-12 text-text-3">{name}</dt>
          <dd className="text-14 tabular-nums [overflow-wrap:anywhere]">{value === '' ? text.none : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Section({ title, note, children }: { readonly title: string; readonly note?: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4">
      <div className="border-b border-line pb-2">
        <h2 id={id} className="text-16 font-semibold">
          {title}
        </h2>
        {note !== undefined && <p className="text-13 text-pretty text-text-2">{note}</p>}
      </div>
      {children}
    </section>
  )
}
