// The own UDF keys on the account page: a list, creating and revoking.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { udfKeysText as text } from '#shared/text/en/udf-keys.ts'
import { udfKeysMax, type UdfKey } from '#shared/udf/key-contract.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { udfKeys, udfKeysQuery, useUdfKeysChanged } from './api.ts'
import { CreateKey } from './create-key.tsx'

/** Draws loading, error, empty and full. */
export function UdfKeys() {
  const { data, error, isFetching, refetch } = useQuery(udfKeysQuery)
  if (data === undefined && error !== null)
    return <FailureNotice error={error} fallback={text.loadFailed} isBusy={isFetching} onRetry={() => void refetch()} />
  if (data === undefined)
    return <output aria-label={text.loading} className="block h-16 animate-breathe rounded-panel border border-line bg-surface" />
  return (
    <div className="grid justify-items-start gap-4">
      {data.length === 0 ? (
        <p className="text-13 text-text-2">{text.none}</p>
      ) : (
        <ul className="w-full divide-y divide-line rounded-panel border border-line bg-surface">
          {data.map((key) => (
            <KeyRow key={key.id} shown={key} />
          ))}
        </ul>
      )}
      {data.length < udfKeysMax ? <CreateKey /> : <p className="text-13 text-text-2">{text.full}</p>}
    </div>
  )
}

function KeyRow({ shown }: { readonly shown: UdfKey }) {
  const { id, name, prefix, createdAt, lastUsedAt } = shown
  const [isAsking, setIsAsking] = useState(false)
  const changed = useUdfKeysChanged()
  const close = () => setIsAsking(false)
  const revoke = useMutation({
    mutationFn: () => udfKeys.revoke({ params: { id } }),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await changed()
    },
    onSettled: close,
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
      <Button variant="outline" size="small" aria-label={text.revokeOf(name)} onClick={() => setIsAsking(true)}>
        {text.revoke}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={text.revokeTitle}
        question={text.revokeText(name)}
        confirmLabel={text.revoke}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={close}
      />
    </li>
  )
}
