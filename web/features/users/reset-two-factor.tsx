// Takes the second factors of a user away, for who lost the phone and the recovery codes.
import { useState } from 'react'
import { factorsText as text } from '#shared/text/en/factors.ts'
import type { User } from '#shared/users/user.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useResetTwoFactor } from './admin-api.ts'

export function ResetTwoFactor({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  const reset = useResetTwoFactor()
  const close = () => setIsAsking(false)
  return (
    <section aria-label={text.title} className="mt-4 grid gap-2 border-t border-line pt-4">
      <h3 className="text-13 font-medium">{text.title}</h3>
      <p className="text-12 text-pretty text-text-2">{text.resetNote}</p>
      <div>
        <Button variant="danger" size="small" onClick={() => setIsAsking(true)}>
          {text.reset}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title={text.resetTitle}
        question={text.resetQuestion(user.name)}
        confirmLabel={text.resetConfirm}
        isBusy={reset.isPending}
        onConfirm={() =>
          reset.mutate(user.email, {
            onSuccess: (message) => {
              toast({ kind: 'ok', text: message })
              onDone()
            },
            onSettled: close,
          })
        }
        onClose={close}
      >
        <StepUpHost />
      </ConfirmDialog>
    </section>
  )
}
