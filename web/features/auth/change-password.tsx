// Changes the account's password, which ends every other session.
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { passwordRoutes } from '#shared/auth/password-contract.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { PasswordForm, type PasswordFormProps } from './password-form.tsx'
import { passwordFields } from './password-fields.ts'
import { sessionsQuery } from './sessions-query.ts'

export interface ChangePasswordProps extends Partial<Pick<PasswordFormProps, 'label' | 'submitText' | 'busyText'>> {
  readonly email: string
  /** What is read again after the change. */
  readonly changed?: QueryKey
}

export function ChangePassword({ changed = sessionsQuery.queryKey, ...form }: ChangePasswordProps) {
  const cache = useQueryClient()
  return (
    <PasswordForm
      label={text.password}
      submitText={text.passwordSubmit}
      busyText={text.passwordBusy}
      {...form}
      shown={passwordFields}
      send={async (body) => (await call(passwordRoutes.changePassword, { body })).message}
      onDone={(message) => {
        toast({ kind: 'ok', text: message })
        void cache.invalidateQueries({ queryKey: changed })
      }}
    />
  )
}
