// Removes a second factor after the password was entered.
import { useRef, useState } from 'react'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/lib/toast.ts'
import { useFactorsChanged } from './api.ts'

export interface RemoveFactorProps {
  readonly title: string
  /** Accessible name of the button when there are several. */
  readonly label?: string
  /** Resolves to the server's message. */
  readonly send: (password: string) => Promise<string>
}

export function RemoveFactor({ title, label, send }: RemoveFactorProps) {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const changed = useFactorsChanged()
  const close = () => setIsOpen(false)
  const remove = async (password: string) => {
    toast({ kind: 'ok', text: await send(password) })
    changed()
    close()
  }
  return (
    <>
      <Button variant="danger" size="small" aria-label={label} onClick={() => setIsOpen(true)}>
        {text.appRemove}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={title} description={text.appRemoveText} widthClass="max-w-sm" firstField={field}>
        <ConfirmPasswordForm
          field={field}
          submitLabel={text.appRemove}
          variant="danger"
          busyText={text.appRemoveBusy}
          failureText={text.actionFailed}
          send={remove}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}
