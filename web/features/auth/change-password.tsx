// Changes the account's password, which ends every other session.
import { useQueryClient } from '@tanstack/react-query'
import { accountText as text } from '#shared/text/en/account.ts'
import { client } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast-queue.ts'
import { PasswordForm } from './password-form.tsx'
import { passwordFields } from './password-rules.ts'
import { sessionsQuery } from './sessions.ts'

export function ChangePassword({ email }: { readonly email: string }) {
  const cache = useQueryClient()
  return (
    <PasswordForm
      label={text.password}
      shown={passwordFields}
      submitText={text.passwordSubmit}
      busyText={text.passwordBusy}
      email={email}
      send={async (body) => (await client.self.changePassword({ body })).message}
      onDone={(message) => {
        toast({ kind: 'ok', text: message })
        void cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      }}
    />
  )
}
