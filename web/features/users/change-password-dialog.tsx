// The dialog that sets the password of a user of the list.
import { useRef } from 'react'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'

/** Open while there is a user. */
export function ChangePasswordDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={text.changePassword}
      description={user?.name}
      widthClass="max-w-sm"
      firstField={field}
    >
      <ResetPasswordForm email={user?.email ?? ''} onDone={onClose} firstField={field}>
        <Button variant="outline" onClick={onClose}>
          {text.cancel}
        </Button>
      </ResetPasswordForm>
      <StepUpHost />
    </Dialog>
  )
}
