// Creates a UDF key: its name first, then the base URL, which is shown this once.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { udfKeysText as text } from '#shared/text/en/udf-keys.ts'
import { refusalOf, serverMessageOf } from '#web/lib/failure.ts'
import { withStepUp } from '#web/lib/step-up.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyIcon } from '#web/ui/icon.ts'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { udfKeys, useUdfKeysChanged } from './api.ts'

export function CreateKey() {
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')
  const [issue, setIssue] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const changed = useUdfKeysChanged()
  const create = useMutation({
    mutationFn: async () => (await withStepUp(() => udfKeys.create({ body: { name } }))).data.key,
    onSuccess: changed,
    onError: (error) => setIssue(refusalOf(error)?.fields?.['name'] ?? serverMessageOf(error) ?? text.actionFailed),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  const key = create.data
  const close = () => {
    setIsOpen(false)
    setName('')
    setIssue(undefined)
    create.reset()
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
        // What is shown once does not go away by a slip; its own button closes it.
        onClose={key === undefined ? close : undefined}
      >
        {key === undefined ? (
          <DialogForm
            submitLabel={text.create}
            busyText={text.createBusy}
            isBusy={create.isPending}
            onSubmit={() => (name.trim() === '' ? setIssue(text.nameMissing) : create.mutate())}
            onCancel={close}
          >
            <TextField
              ref={field}
              label={text.name}
              autoComplete="off"
              maxLength={60}
              value={name}
              error={issue}
              onChange={({ target }) => {
                setName(target.value)
                setIssue(undefined)
              }}
              required
            />
          </DialogForm>
        ) : (
          <BaseUrl value={`${window.location.origin}/udf/k/${key}`} onDone={close} />
        )}
        <StepUpHost />
      </Dialog>
    </>
  )
}

function BaseUrl({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  // The field of the name, which had the focus, is gone.
  useEffect(() => field.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast({ kind: 'ok', text: text.copied })
    } catch {
      toast({ kind: 'danger', text: text.actionFailed })
    }
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
