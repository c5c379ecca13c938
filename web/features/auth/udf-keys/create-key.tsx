// Creates a UDF key: name first, then the base URL, which is shown only once.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { udfKeysText as text } from '#shared/text/en/udf-keys.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyIcon } from '#web/ui/icon.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/lib/toast.ts'
import { udfKeys, useUdfKeysChanged } from './api.ts'

export function CreateKey() {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { key, name, issue, isBusy, type, submit, reset } = useNewKey()
  const close = () => {
    setIsOpen(false)
    reset()
  }
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setIsOpen(true)}>
        {text.create}
      </Button>
      <Dialog
        isOpen={isOpen}
        title={key === undefined ? text.createTitle : text.createdTitle}
        description={key === undefined ? text.createText : text.createdText}
        widthClass="max-w-md"
        firstField={field}
        // A key that is shown once cannot be dismissed by accident; only its own button closes the dialog.
        onClose={key === undefined ? close : undefined}
      >
        {key === undefined ? (
          <DialogForm submitLabel={text.create} busyText={text.createBusy} isBusy={isBusy} onSubmit={submit} onCancel={close}>
            <TextField
              ref={field}
              label={text.name}
              autoComplete="off"
              maxLength={60}
              value={name}
              error={issue}
              onChange={({ target }) => type(target.value)}
              required
            />
          </DialogForm>
        ) : (
          <BaseUrl value={`${window.location.origin}/udf/k/${key}`} onDone={close} />
        )}
      </Dialog>
    </>
  )
}

/** The name of a new key, and the key once it is created. */
function useNewKey() {
  const [name, setName] = useState('')
  const [issue, setIssue] = useState<string>()
  const changed = useUdfKeysChanged()
  const create = useMutation({
    mutationFn: async () => (await withStepUp(() => udfKeys.create({ body: { name } }))).data.key,
    onSuccess: changed,
    onError: (error) => setIssue(apiErrorOf(error)?.fields?.['name'] ?? serverMessageOf(error) ?? text.actionFailed),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  const type = (typed: string) => {
    setName(typed)
    setIssue(undefined)
  }
  return {
    key: create.data,
    name,
    issue,
    isBusy: create.isPending,
    type,
    submit: () => (name.trim() === '' ? setIssue(text.nameMissing) : create.mutate()),
    reset: () => {
      type('')
      create.reset()
    },
  }
}

function BaseUrl({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  // The name field, which had the focus, has been removed.
  useEffect(() => field.current?.focus(), [])
  const copy = async () => {
    if (await copyText(value)) toast({ kind: 'ok', text: text.copied })
    else toast({ kind: 'danger', text: text.actionFailed })
  }
  return (
    <div className="grid gap-4">
      <TextField ref={field} label={text.baseUrl} value={value} readOnly autoComplete="off" onFocus={({ target }) => target.select()} />
      <div className="flex items-center justify-between gap-2">
        <Button variant="outline" onClick={() => void copy()}>
          <CopyIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
          {text.copy}
        </Button>
        <Button onClick={onDone}>{text.done}</Button>
      </div>
    </div>
  )
}
