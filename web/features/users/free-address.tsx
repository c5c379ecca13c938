// Frees the address of an unconfirmed account for its owner.
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { useFreeAddress } from './admin-api.ts'
import { ConfirmedAct } from './confirmed-act.tsx'

/** Nothing for accounts that the server would refuse for what the list shows. */
export function FreeAddress({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const act = useFreeAddress()
  if (user.role === 'admin' || user.status !== null || user.premiumStartDate !== null) return null
  return (
    <ConfirmedAct
      title={text.addressTitle}
      note={text.freeNote}
      label={text.freeAddress}
      question={text.freeQuestion(user.name)}
      confirmLabel={text.freeConfirm}
      email={user.email}
      act={act}
      onDone={onDone}
    />
  )
}
