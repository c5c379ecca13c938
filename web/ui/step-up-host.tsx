// The small dialog that asks for the own password when an act wants it again; also inside other dialogs, to lie on top of them.
import { useEffect, useRef, useState, type RefObject } from 'react'
import { adminText } from '#shared/text/en/admin.ts'
import { kitText as text } from '#shared/text/en/kit.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { confirmPassword, hostStepUp } from '#web/lib/step-up.ts'
import { DialogForm } from './dialog-form.tsx'
import { Dialog } from './dialog.tsx'
import { PasswordField } from './password-field.tsx'

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
      <StepUpForm field={field} onConfirmed={() => settle(true)} onCancel={() => settle(false)} />
    </Dialog>
  )
}

interface StepUpFormProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

function StepUpForm({ field, onConfirmed, onCancel }: StepUpFormProps) {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    if (password === '') return setFault(adminText.fillAllFields)
    setIsBusy(true)
    try {
      await confirmPassword(password)
      onConfirmed()
    } catch (error) {
      setFault(serverMessageOf(error) ?? text.loadFailed)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <DialogForm submitLabel={text.confirm} isBusy={isBusy} onSubmit={() => void submit()} onCancel={onCancel}>
      <PasswordField
        ref={field}
        label={text.yourPassword}
        name="current-password"
        autoComplete="current-password"
        value={password}
        error={fault}
        onChange={(event) => {
          setPassword(event.target.value)
          setFault(undefined)
        }}
      />
    </DialogForm>
  )
}
