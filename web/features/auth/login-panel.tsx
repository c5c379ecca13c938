// Sign-in or sign-up form, depending on the address.
import { useCallback, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { ConsentTicks } from '#shared/privacy/rules.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { Button } from '#web/ui/button.tsx'
import { Form, useIssueFocus } from '#web/ui/form.tsx'
import { preloadCalls } from './use-sign-in.ts'
import { LoginFields } from './login-fields.tsx'
import { isConsentBox, isLoginField, type LoginIssue } from './login-form.ts'
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
  const { form, isBusy, solving, type, tick, clearIssues, switchForm, submit } = useLogin(options)
  const lastMode = useRef(mode)
  const formElement = useRef<HTMLFormElement>(null)
  const { issue } = form

  useIssueFocus(issue, formElement)

  // Before the first event: a click could come before a passive effect, which would then clear its error.
  useLayoutEffect(() => {
    if (lastMode.current !== mode) {
      lastMode.current = mode
      return switchForm()
    }
    clearIssues()
    // What was typed, ticked, or filled in by the browser, before the form of the prerendered page came to life.
    for (const { name, value, checked } of fieldsOf(formElement.current)) {
      if (isLoginField(name) && value !== '') type(name, value)
      else if (isConsentBox(name) && checked) tick(name, true)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [mode, clearIssues, switchForm])

  useEffect(preloadCalls, [])

  const welcome = useCallback(() => {
    // On a phone the keyboard would cover half of the page at once.
    if (window.matchMedia('(pointer: fine)').matches && !isTyping(formElement.current)) firstEmptyOf(formElement.current)?.focus()
  }, [])

  const isNew = mode === 'sign-up'
  return (
    <Form
      ref={formElement}
      // Without script the browser sends the form itself, and a password does not belong into an address.
      method="post"
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

function fieldsOf(form: HTMLFormElement | null): readonly HTMLInputElement[] {
  return [...(form?.elements ?? [])].filter((field) => field instanceof HTMLInputElement)
}

function firstEmptyOf(form: HTMLFormElement | null): HTMLInputElement | undefined {
  return fieldsOf(form).find((field) => field.value === '')
}

function isTyping(form: HTMLFormElement | null): boolean {
  return fieldsOf(form).some((field) => field === document.activeElement)
}
