// Removes a user's second factors after a lost phone and lost recovery codes.
import { factorsText as text } from '#shared/text/en/factors.ts'
import type { User } from '#shared/users/user.ts'
import { useResetTwoFactor } from './admin-api.ts'
import { ConfirmedAct } from './confirmed-act.tsx'

export function ResetTwoFactor({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const act = useResetTwoFactor()
  const isPossible = user.hasSecondFactor === true
  return (
    <ConfirmedAct
      title={text.title}
      note={isPossible ? text.resetNote : text.none}
      isPossible={isPossible}
      label={text.reset}
      question={text.resetQuestion(user.name)}
      confirmLabel={text.resetConfirm}
      email={user.email}
      act={act}
      onDone={onDone}
    />
  )
}
