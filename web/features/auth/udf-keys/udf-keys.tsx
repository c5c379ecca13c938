// UDF keys on the account page: list, create, revoke.
import { useMutation, useQuery } from '@tanstack/react-query'
import { udfKeysText as text } from '#shared/text/en/udf-keys.ts'
import { udfKeysMax, type UdfKey } from '#shared/udf/key-contract.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FailureNotice, PanelSkeleton } from '#web/ui/notice.tsx'
import { toast } from '#web/lib/toast.ts'
import { udfKeys, udfKeysQuery, useUdfKeysChanged } from './api.ts'
import { CreateKey } from './create-key.tsx'

/** Renders loading, error, empty and data states. */
export function UdfKeys() {
  const query = useQuery(udfKeysQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.loadFailed} />
  if (query.data === undefined) return <PanelSkeleton label={text.loading} />
  const keys = query.data
  return (
    <div className="grid justify-items-start gap-4">
      {keys.length === 0 ? (
        <p className="text-13 text-text-2">{text.none}</p>
      ) : (
        <ul className="w-full divide-y divide-line rounded-panel border border-line bg-surface">
          {keys.map((key) => (
            <KeyRow key={key.id} shown={key} />
          ))}
        </ul>
      )}
      {keys.length < udfKeysMax ? <CreateKey /> : <p className="text-13 text-text-2">{text.full}</p>}
    </div>
  )
}

function KeyRow({ shown }: { readonly shown: UdfKey }) {
  const { id, name, prefix, createdAt, lastUsedAt } = shown
  const changed = useUdfKeysChanged()
  const revoke = useMutation({
    mutationFn: () => udfKeys.revoke({ params: { id } }),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await changed()
    },
    meta: { failureText: text.actionFailed },
  })
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2 text-13 font-medium [overflow-wrap:anywhere]">
          {name}
          <code className="text-12 font-normal text-text-3">{prefix}…</code>
        </p>
        <p className="text-12 text-text-2 tabular-nums">
          {text.used(indiaDateTime(createdAt), lastUsedAt === null ? null : indiaDateTime(lastUsedAt))}
        </p>
      </div>
      <ConfirmButton
        label={text.revoke}
        aria-label={text.revokeOf(name)}
        variant="outline"
        size="small"
        title={text.revokeTitle}
        question={text.revokeText(name)}
        isBusy={revoke.isPending}
        onConfirm={(close) => revoke.mutate(undefined, { onSettled: close })}
      />
    </li>
  )
}
