// Admin page Reset Password for the admin's own password.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { ResetPasswordForm } from '#web/features/users/reset-password-form.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminPasswordScreen() {
  useTitle(text.resetPassword)
  const { user } = useUser()
  return (
    <div className="max-w-sm">
      <h1 className="mb-4 text-20 font-semibold tracking-tight">{text.resetPassword}</h1>
      <div className="rounded-panel border border-line bg-surface p-4">
        <ResetPasswordForm isOwn email={user?.email ?? ''} isPlain />
      </div>
    </div>
  )
}
