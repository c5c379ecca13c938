// Names and emails of online users, with a Refresh button.
import { useQuery, queryOptions } from '@tanstack/react-query'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { presenceRoutes } from '#shared/presence/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { MailIcon, RefreshIcon } from '#web/ui/icon.ts'
import { FailureNotice, Notice } from '#web/ui/notice.tsx'
import { call } from '#web/lib/api.ts'
import { onlineUsersKey } from './online-users-key.ts'

/** Users with an open tab. */
const onlineUsersQuery = queryOptions({
  queryKey: onlineUsersKey,
  queryFn: async () => (await call(presenceRoutes.online)).onlineUsers,
  staleTime: 0,
})

const grid = 'grid gap-2 sm:grid-cols-2 xl:grid-cols-1'

/** Renders loading, empty, error and data states. */
export function OnlineUsersPanel() {
  const query = useQuery(onlineUsersQuery)
  const { data, error, isFetching, isPending, refetch } = query
  return (
    <section aria-labelledby="online-users" aria-busy={isFetching}>
      <div className="mb-3 flex h-8 items-center justify-between gap-4">
        <h2 id="online-users" className="text-14 font-semibold">
          <span>{text.onlineUsers}</span>
          {data !== undefined && <span className="ml-2 text-13 font-normal text-text-3 tabular-nums">{data.length}</span>}
        </h2>
        <Button
          variant="outline"
          size="small"
          isBusy={isFetching}
          icon={<RefreshIcon aria-hidden className="size-3.5" />}
          onClick={() => refetch()}
        >
          {text.refresh}
        </Button>
      </div>
      {isPending ? (
        <output aria-label={text.loading} className={grid}>
          {[1, 2, 3].map((n) => (
            <span key={n} className="h-14 animate-breathe rounded-panel border border-line bg-surface" />
          ))}
        </output>
      ) : error !== null ? (
        <FailureNotice query={query} />
      ) : data.length === 0 ? (
        <Notice text={text.nobodyOnline} />
      ) : (
        <ul className={grid}>
          {data.map(({ id, name, email }) => (
            <li key={id} className="flex h-14 min-w-0 flex-col justify-center rounded-panel border border-line bg-surface px-3">
              <span className="truncate text-13 font-medium">{name}</span>
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
