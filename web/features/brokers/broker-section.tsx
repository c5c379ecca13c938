// Broker section of the account page: off, not connected, connected, session ended, or not working.
import { useQuery } from '@tanstack/react-query'
import { brokersText as text } from '#shared/text/en/brokers.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { FailureNotice, Notice } from '#web/ui/notice.tsx'
import { brokerQuery } from './api.ts'
import { Connection } from './connection.tsx'
import { KiteForm } from './kite-form.tsx'
import { OpenAlgoForm } from './openalgo-form.tsx'

export interface BrokerSectionProps {
  readonly user: User
  /** Leaves the page for the Zerodha login. */
  readonly goTo?: (url: string) => void
}

export function BrokerSection({ user, goTo = (url) => window.location.assign(url) }: BrokerSectionProps) {
  const query = useQuery(brokerQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.loadFailed} />
  const { data } = query
  if (data === undefined) return <output aria-label={text.loading} className="block h-16" />
  const isPremium = hasPremium(user)
  if (data.connection !== null) return <Connection connection={data.connection} isPremium={isPremium} goTo={goTo} />
  if (!data.isOffered) return <Notice text={text.off} />
  if (!isPremium) return <Notice text={text.needsPremium} />
  return (
    <div className="grid gap-3">
      <div className="grid gap-4 md:grid-cols-2">
        <KiteForm redirectUrl={data.redirectUrl} hasKiteApp={data.hasKiteApp} goTo={goTo} />
        <OpenAlgoForm />
      </div>
      <p className="text-12 text-pretty text-text-3">{text.encrypted}</p>
    </div>
  )
}
