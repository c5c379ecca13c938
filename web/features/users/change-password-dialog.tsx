// Dialog that sets a user's password, removes their second factors or frees their address.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { FormDialog } from '#web/ui/dialog-form.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { factorsText } from '#shared/factors/text/en.ts'
import { useResetTwoFactor, useFreeAddress } from './api.ts'
import type { UseMutationResult } from '@tanstack/react-query'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/lib/toast.ts'

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

/** After a lost phone and lost recovery codes. */
function ResetTwoFactor({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const action = useResetTwoFactor()
  const isPossible = user.hasSecondFactor === true
  return (
    <ConfirmedAction
      title={factorsText.title}
      note={isPossible ? factorsText.resetNote : factorsText.none}
      isPossible={isPossible}
      label={factorsText.reset}
      question={factorsText.resetQuestion(user.name)}
      confirmLabel={factorsText.resetConfirm}
      email={user.email}
      action={action}
      onDone={onDone}
    />
  )
}

/** Frees the address of an unconfirmed account for its owner; nothing where the list shows that the server would reject it. */
export function FreeAddress({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const action = useFreeAddress()
  if (user.role === 'admin' || user.status !== null || user.premiumStartDate !== null) return null
  return (
    <ConfirmedAction
      title={text.addressTitle}
      note={text.freeNote}
      label={text.freeAddress}
      question={text.freeQuestion(user.name)}
      confirmLabel={text.freeConfirm}
      email={user.email}
      action={action}
      onDone={onDone}
    />
  )
}

interface ConfirmedActionProps {
  readonly title: string
  readonly note: string
  /** False shows the note without the action. */
  readonly isPossible?: boolean
  readonly label: string
  readonly question: string
  readonly confirmLabel: string
  readonly email: string
  /** Takes the email; resolves to the server's message. */
  readonly action: UseMutationResult<string, Error, string>
  readonly onDone: () => void
}

function ConfirmedAction({ title, note, isPossible = true, label, question, confirmLabel, email, action, onDone }: ConfirmedActionProps) {
  return (
    <section aria-label={title} className="mt-4 grid gap-2 border-t border-line pt-4">
      <h3 className="text-13 font-medium">{title}</h3>
      <p className="text-12 text-pretty text-text-2">{note}</p>
      <div className="empty:hidden">
        {isPossible && (
          <ConfirmButton
            label={label}
            variant="danger"
            size="small"
            title={`${label}?`}
            question={question}
            confirmLabel={confirmLabel}
            isBusy={action.isPending}
            onConfirm={(close) =>
              action.mutate(email, {
                onSuccess: (message) => {
                  toast({ kind: 'ok', text: message })
                  onDone()
                },
                onSettled: close,
              })
            }
          />
        )}
      </div>
    </section>
  )
}
