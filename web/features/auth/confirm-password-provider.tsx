// Dialog that asks for the password when an action requires re-authentication.
import { useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { passwordRoutes } from '#shared/auth/password-contract.ts'
import { call } from '#web/lib/api.ts'
import { registerStepUpPrompt } from '#web/lib/with-step-up.ts'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NestedDialogContext } from '#web/ui/nested-dialog-context.ts'

/** Lets every action of a screen ask for the password, also from within a dialog. */
export function ConfirmPasswordProvider({ children }: { readonly children: ReactNode }) {
  const outer = useContext(NestedDialogContext)
  const nested = (
    <>
      {outer}
      <ConfirmPasswordDialog outer={outer} />
    </>
  )
  return (
    <NestedDialogContext value={nested}>
      {children}
      <ConfirmPasswordDialog outer={outer} />
    </NestedDialogContext>
  )
}

function ConfirmPasswordDialog({ outer }: { readonly outer: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const pendingResolve = useRef<(isConfirmed: boolean) => void>(undefined)
  const settle = (isConfirmed: boolean) => {
    setIsOpen(false)
    pendingResolve.current?.(isConfirmed)
    pendingResolve.current = undefined
  }

  useEffect(() => {
    const leave = registerStepUpPrompt(() => {
      // A second action cancels the first one.
      pendingResolve.current?.(false)
      setIsOpen(true)
      return new Promise((resolve) => {
        pendingResolve.current = resolve
      })
    })
    return () => {
      leave()
      pendingResolve.current?.(false)
    }
  }, [])

  return (
    // With the value of its own provider it would contain itself.
    <NestedDialogContext value={outer}>
      <Dialog
        isOpen={isOpen}
        onClose={() => settle(false)}
        title={adminText.confirmPasswordTitle}
        description={adminText.confirmPassword}
        widthClass="max-w-sm"
        firstField={field}
      >
        <ConfirmPasswordForm
          field={field}
          submitLabel={text.confirm}
          emptyText={adminText.fillAllFields}
          failureText={text.loadFailed}
          send={async (password) => {
            await call(passwordRoutes.confirm, { body: { password } })
            settle(true)
          }}
          onCancel={() => settle(false)}
        />
      </Dialog>
    </NestedDialogContext>
  )
}
