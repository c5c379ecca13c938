// Name and email of everybody who is online, with a Refresh button.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { serverMessageOf } from '#web/lib/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { MailIcon, RefreshIcon } from '#web/ui/icon.ts'
import { onlineUsersQuery } from './api.ts'

const grid = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-3'

/** Draws loading, empty, error and full. */
export function OnlineUsersPanel() {
  const { data, error, isFetching, isPending, refetch } = useQuery(onlineUsersQuery)
  return (
    <section aria-labelledby="online-users" aria-busy={isFetching}>
      <div className="mb-4 flex items-center justify-between gap-4 border-b border-line pb-3">
        <h1 id="online-users" className="text-20 font-semibold tracking-tight">
          Online Users
          {data !== undefined && <span className="ml-2 text-14 font-normal text-text-3 tabular-nums">{data.length}</span>}
        </h1>
        <Button variant="outline" isBusy={isFetching} onClick={() => refetch()}>
          {!isFetching && <RefreshIcon aria-hidden className="size-3.5" />}
          Refresh
        </Button>
      </div>
      {isPending ? (
        <output aria-label="Loading" className={grid}>
          {[1, 2, 3].map((n) => (
            <div key={n} className="h-16 animate-breathe rounded-panel border border-line bg-surface" />
          ))}
        </output>
      ) : error !== null ? (
        <Notice text={serverMessageOf(error) ?? 'The list could not be loaded.'}>
          <Button variant="outline" isBusy={isFetching} onClick={() => refetch()}>
            Try again
          </Button>
        </Notice>
      ) : data.length === 0 ? (
        <Notice text="Nobody is online right now." />
      ) : (
        <ul className={grid}>
          {data.map(({ id, name, email }) => (
            <li key={id} className="flex h-16 min-w-0 flex-col justify-center rounded-panel border border-line bg-surface px-4">
              <span className="truncate text-14 font-medium">{name}</span>
              <span className="flex min-w-0 items-center gap-1.5 text-12 text-text-2">
                <MailIcon aria-hidden className="size-3.5 shrink-0 text-text-3" strokeWidth={1.5} />
                <span className="truncate">{email}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Notice({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-4 rounded-panel border border-line px-4 py-3 text-14 text-text-2">
      <p>{text}</p>
      {children}
    </div>
  )
}
