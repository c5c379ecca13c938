// A section with a rare action on an account, which asks before it calls the server.
import type { UseMutationResult } from '@tanstack/react-query'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/lib/toast.ts'

export interface ConfirmedActionProps {
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

export function ConfirmedAction({
  title,
  note,
  isPossible = true,
  label,
  question,
  confirmLabel,
  email,
  action,
  onDone,
}: ConfirmedActionProps) {
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
