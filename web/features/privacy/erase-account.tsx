// Erases the account: lists what is deleted and what is kept, and asks for the password.
import { useRef, useState } from 'react'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { privacyRoutes } from '#shared/privacy/contract.ts'
import { call } from '#web/lib/api.ts'
import { forgetUnsaved } from '#web/lib/forget-unsaved.ts'
import { session } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/lib/toast.ts'

export interface EraseAccountProps {
  readonly user: Pick<User, '_id' | 'email'>
}

export function EraseAccount({ user }: EraseAccountProps) {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const close = () => setIsOpen(false)
  const erase = async (password: string) => {
    const { message } = await call(privacyRoutes.eraseAccount, { body: { password } })
    toast({ kind: 'ok', text: message })
    // Clears the user's data in this browser too; the page becomes the sign-in form.
    session.clear()
    forgetUnsaved({ id: user._id, email: user.email })
  }
  return (
    <>
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        {text.erase}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={text.eraseTitle} description={text.eraseText} firstField={field}>
        <ConfirmPasswordForm
          field={field}
          submitLabel={text.erase}
          variant="danger"
          busyText={text.eraseBusy}
          failureText={text.eraseFailed}
          send={erase}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}
