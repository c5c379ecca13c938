// Broker section of the account page: absent where it is off, else not connected, connected, session ended, or not working.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { FailureNotice, Notice } from '#web/ui/notice.tsx'
import { brokerQuery } from './api.ts'
import { ConnectionCard } from './connection-card.tsx'
import { KiteForm } from './kite-form.tsx'
import { OpenAlgoForm } from './openalgo-form.tsx'

export interface BrokerSectionProps {
  readonly user: User
  /** Heading around the content; not drawn where there is nothing to offer. */
  readonly frame?: (content: ReactNode) => ReactNode
  /** Leaves the page for the Zerodha login. */
  readonly goTo?: (url: string) => void
}

/** Renders nothing on a site without broker connections, and until that is known. */
export function BrokerSection({ user, frame = (content) => content, goTo = (url) => window.location.assign(url) }: BrokerSectionProps) {
  const query = useQuery(brokerQuery)
  if (query.isLoadingError) return frame(<FailureNotice query={query} fallback={text.loadFailed} />)
  const { data } = query
  if (data === undefined || (data.connection === null && !data.isOffered)) return null
  const isPremium = hasPremium(user)
  if (data.connection !== null) return frame(<ConnectionCard connection={data.connection} isPremium={isPremium} goTo={goTo} />)
  if (!isPremium) return frame(<Notice text={text.needsPremium} />)
  return frame(
    <div className="grid gap-3">
      <div className="grid gap-4 md:grid-cols-2">
        <KiteForm redirectUrl={data.redirectUrl} hasKiteApp={data.hasKiteApp} goTo={goTo} />
        <OpenAlgoForm />
      </div>
      <p className="text-12 text-pretty text-text-3">{text.encrypted}</p>
    </div>,
  )
}
