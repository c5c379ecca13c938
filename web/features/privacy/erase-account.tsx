// Erases the own account: says what goes and what stays, and asks for the password.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import type { User } from '#shared/users/user.ts'
import { client } from '#web/lib/api.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { session } from '#web/lib/storage.ts'
import { forgetUnsaved } from '#web/lib/unsaved.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast-queue.ts'

export interface EraseAccountProps {
  readonly user: Pick<User, '_id' | 'email'>
}

export function EraseAccount({ user }: EraseAccountProps) {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        {text.erase}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={text.eraseTitle} description={text.eraseText} firstField={field}>
        <EraseForm user={user} field={field} onCancel={close} />
      </Dialog>
    </>
  )
}

interface EraseFormProps extends EraseAccountProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly onCancel: () => void
}

function EraseForm({ user, field, onCancel }: EraseFormProps) {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const erase = useMutation({
    mutationFn: () => client.privacy.eraseAccount({ body: { password } }),
    onSuccess: ({ message }) => {
      toast({ kind: 'ok', text: message })
      // Nothing of the person stays in this browser either; the page becomes the sign-in form.
      forgetUnsaved({ id: user._id, email: user.email }, () => window.localStorage)
      session.clear()
    },
    onError: (error) => setFault(serverMessageOf(error) ?? text.eraseFailed),
    meta: { isQuiet: true },
  })
  return (
    <DialogForm
      submitLabel={text.erase}
      variant="danger"
      isBusy={erase.isPending}
      busyText={text.eraseBusy}
      onSubmit={() => (password === '' ? setFault(text.passwordEmpty) : erase.mutate())}
      onCancel={onCancel}
    >
      <PasswordField
        ref={field}
        name="current-password"
        label={text.erasePassword}
        autoComplete="current-password"
        value={password}
        error={fault}
        onChange={({ target }) => {
          setPassword(target.value)
          setFault(undefined)
        }}
        required
      />
    </DialogForm>
  )
}
