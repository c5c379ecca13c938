// Sign-in or sign-up form, depending on the address.
import { useCallback, useRef, type ReactNode } from 'react'
import type { ConsentTicks } from '#shared/privacy/consent.ts'
import { loginText } from '#shared/text/en/login.ts'
import { Button } from '#web/ui/button.tsx'
import { Form, useIssueFocus } from '#web/ui/form.tsx'
import { LoginFields } from './login-fields.tsx'
import type { LoginIssue } from './login-form.ts'
import { useLogin, type LoginOptions } from './use-login.ts'

export interface ConsentStep {
  readonly ticks: ConsentTicks
  readonly issue: LoginIssue | undefined
  readonly onTick: (box: keyof ConsentTicks, isTicked: boolean) => void
}

export interface LoginPanelProps extends LoginOptions {
  readonly passwordLink: string
  /** The fields of the consent, which belong to another feature. */
  readonly renderConsent: (step: ConsentStep) => ReactNode
}

/** Focuses the first invalid field, and the first empty field when the form changes. */
export function LoginPanel({ passwordLink, renderConsent, ...options }: LoginPanelProps) {
  const { mode } = options
  const { form, isBusy, solving, type, tick, clearIssues, submit } = useLogin(options)
  const formElement = useRef<HTMLFormElement>(null)
  const { issue } = form

  useIssueFocus(issue, formElement)

  const welcome = useCallback(() => {
    clearIssues()
    // On a phone the keyboard would cover half of the page at once.
    if (window.matchMedia('(pointer: fine)').matches) firstEmptyOf(formElement.current)?.focus()
  }, [clearIssues])

  const isNew = mode === 'sign-up'
  return (
    <Form
      ref={formElement}
      aria-label={isNew ? loginText.signUpTitle : loginText.signInTitle}
      className="flex flex-col gap-4"
      onSubmit={() => {
        if (!isBusy) submit()
      }}
    >
      <LoginFields key={mode} mode={mode} form={form} onType={type} onAppear={welcome} passwordLink={passwordLink} />
      {isNew && renderConsent({ ticks: form.ticks, issue, onTick: tick })}
      <Button
        type="submit"
        size="large"
        className="mt-2 w-full"
        isBusy={isBusy}
        busyText={solving?.label ?? (isNew ? loginText.signUpBusy : loginText.signInBusy)}
      >
        {isNew ? loginText.signUpSubmit : loginText.signInSubmit}
      </Button>
      <output className="block text-13 text-pretty text-text-2 empty:hidden">{solving?.note}</output>
    </Form>
  )
}

function firstEmptyOf(form: HTMLFormElement | null): HTMLInputElement | undefined {
  return [...(form?.elements ?? [])].find((field) => field instanceof HTMLInputElement && field.value === '') as
    | HTMLInputElement
    | undefined
}
