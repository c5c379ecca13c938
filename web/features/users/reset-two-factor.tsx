// Removes a user's second factors after a lost phone and lost recovery codes.
import { factorsText as text } from '#shared/text/en/factors.ts'
import type { User } from '#shared/users/user.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useResetTwoFactor } from './admin-api.ts'

export function ResetTwoFactor({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const reset = useResetTwoFactor()
  return (
    <section aria-label={text.title} className="mt-4 grid gap-2 border-t border-line pt-4">
      <h3 className="text-13 font-medium">{text.title}</h3>
      <p className="text-12 text-pretty text-text-2">{user.hasSecondFactor === true ? text.resetNote : text.none}</p>
      <div className="empty:hidden">
        {user.hasSecondFactor === true && (
          <ConfirmButton
            label={text.reset}
            variant="danger"
            size="small"
            title={text.resetTitle}
            question={text.resetQuestion(user.name)}
            confirmLabel={text.resetConfirm}
            isBusy={reset.isPending}
            onConfirm={(close) =>
              reset.mutate(user.email, {
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
