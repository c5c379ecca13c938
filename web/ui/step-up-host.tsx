// The small dialog that asks for the own password when an act wants it again; also inside other dialogs, to lie on top of them.
import { useEffect, useRef, useState } from 'react'
import { adminText } from '#shared/text/en/admin.ts'
import { kitText as text } from '#shared/text/en/kit.ts'
import { confirmPassword, hostStepUp } from '#web/lib/step-up.ts'
import { ConfirmPasswordForm } from './confirm-password-form.tsx'
import { Dialog } from './dialog.tsx'

/** Put once on a page whose acts may ask, and once in each of its dialogs. */
export function StepUpHost() {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const answer = useRef<(isConfirmed: boolean) => void>(undefined)
  const settle = (isConfirmed: boolean) => {
    setIsOpen(false)
    answer.current?.(isConfirmed)
    answer.current = undefined
  }

  useEffect(() => {
    const leave = hostStepUp(() => {
      // A second act meanwhile gives up the first one's place.
      answer.current?.(false)
      setIsOpen(true)
      return new Promise((resolve) => {
        answer.current = resolve
      })
    })
    return () => {
      leave()
      answer.current?.(false)
    }
  }, [])

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => settle(false)}
      title={text.stepUpTitle}
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
          await confirmPassword(password)
          settle(true)
        }}
        onCancel={() => settle(false)}
      />
    </Dialog>
  )
}
