// Dialog that sets a user's password, removes their second factors or frees their address.
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FreeAddress } from './free-address.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { ResetTwoFactor } from './reset-two-factor.tsx'

/** Open while `user` is defined. */
export interface ChangePasswordDialogProps {
  readonly user: User | undefined
  /** True for the signed-in admin, who removes the own second factors on the account page. */
  readonly isOwn: boolean
  readonly onClose: () => void
}

export function ChangePasswordDialog({ user, isOwn, onClose }: ChangePasswordDialogProps) {
  return (
    <FormDialog isOpen={user !== undefined} onClose={onClose} title={text.changePassword} description={user?.name} widthClass="max-w-sm">
      {(field) => (
        <>
          <ResetPasswordForm isOwn={isOwn} email={user?.email ?? ''} onDone={onClose} onCancel={onClose} firstField={field} />
          {user !== undefined && !isOwn && <ResetTwoFactor user={user} onDone={onClose} />}
          {user !== undefined && !isOwn && <FreeAddress user={user} onDone={onClose} />}
        </>
      )}
    </FormDialog>
  )
}
