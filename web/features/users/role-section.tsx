// The role of a user, and its change by another admin.
import { rolesText as text } from '#shared/users/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/lib/toast.ts'
import { useChangeRole } from './api.ts'

export interface RoleSectionProps {
  readonly user: User
  /** True for the signed-in admin. */
  readonly isOwn: boolean
  readonly onDone: () => void
}

export function RoleSection({ user: { _id: id, name, role }, isOwn, onDone }: RoleSectionProps) {
  const change = useChangeRole()
  const isAdmin = role === 'admin'
  return (
    <section aria-label={text.title} className="mt-6 grid gap-2 border-t border-line pt-4">
      <h3 className="text-13 font-medium">{text.title}</h3>
      <p className="text-12 text-pretty text-text-2">{isAdmin ? text.isAdmin : text.isUser}</p>
      {isOwn ? (
        <p className="text-12 text-pretty text-text-3">{text.isYou}</p>
      ) : (
        <div>
          <ConfirmButton
            label={isAdmin ? text.demote : text.promote}
            variant={isAdmin ? 'danger' : 'outline'}
            size="small"
            title={isAdmin ? text.demoteTitle : text.promoteTitle}
            question={isAdmin ? text.demoteQuestion(name) : text.promoteQuestion(name)}
            isBusy={change.isPending}
            onConfirm={(close) =>
              change.mutate(
                { id, role: isAdmin ? 'user' : 'admin' },
                {
                  onSuccess: (message) => {
                    toast({ kind: 'ok', text: message })
                    onDone()
                  },
                  onSettled: close,
                },
              )
            }
          />
        </div>
      )}
    </section>
  )
}
