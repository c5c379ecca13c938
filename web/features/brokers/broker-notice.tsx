// Notice above the charts when the user's broker connection no longer delivers prices: session ended, or key rejected.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { minuteMs } from '#shared/base/durations.ts'
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { brokerQuery } from './api.ts'

const pollMs = 5 * minuteMs

export interface BrokerNoticeProps {
  /** Address of the page where a connection is renewed. */
  readonly accountPath: string
}

export function BrokerNotice({ accountPath }: BrokerNoticeProps) {
  const { data } = useQuery({ ...brokerQuery, refetchInterval: ({ state }) => nextLookMs(state.data?.connection, Date.now()) })
  const connection = data?.connection
  if (connection?.state !== 'expired' && connection?.state !== 'error') return null
  return (
    <output
      data-testid="broker-notice"
      className="flex flex-wrap items-center gap-x-2 border-b border-line bg-surface px-3 py-1.5 text-12 text-text-2"
    >
      {text.chartNotice[connection.state](text.names[connection.broker])}
      <Link
        to={accountPath}
        className="inline-flex items-center rounded-control text-accent underline underline-offset-2 pointer-coarse:min-h-11"
      >
        {text.chartNoticeLink}
      </Link>
    </output>
  )
}

/** Shortly after the session ends, and periodically because the broker may end it earlier; never without a connection. */
function nextLookMs(connection: BrokerConnection | null | undefined, nowMs: number): number | false {
  if (connection?.state !== 'connected') return false
  const leftMs = connection.expiresAt === null ? pollMs : Date.parse(connection.expiresAt) - nowMs
  return Math.min(pollMs, Math.max(1_000, leftMs + 1_000))
}
