// The form that signs in or creates an account, whichever the address asks for.
import { useCallback, useEffect, useRef } from 'react'
import { loginText } from '#shared/text/en/login.ts'
import { Button } from '#web/ui/button.tsx'
import { ConsentTicksFields } from '#web/ui/consent-ticks.tsx'
import { LoginFields } from './login-fields.tsx'
import { useLogin, type LoginNeeds } from './use-login.ts'

/** The focus goes to the first faulty field, and to the first empty field when the form changes. */
export function LoginPanel(needs: LoginNeeds & { readonly passwordLink: string }) {
  const { mode } = needs
  const { form, isBusy, solving, type, tick, clearFaults, submit } = useLogin(needs)
  const formElement = useRef<HTMLFormElement>(null)
  const { fault } = form

  useEffect(() => {
    if (fault !== undefined) fieldOf(formElement.current, fault.field)?.focus()
  }, [fault])

  const welcome = useCallback(() => {
    clearFaults()
    // On a phone the keyboard would cover half of a page that nobody has read yet.
    if (window.matchMedia('(pointer: fine)').matches) firstEmptyOf(formElement.current)?.focus()
  }, [clearFaults])

  const isNew = mode === 'sign-up'
  return (
    <form
      ref={formElement}
      noValidate
      aria-label={isNew ? loginText.signUpTitle : loginText.signInTitle}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      <LoginFields key={mode} mode={mode} form={form} onType={type} onAppear={welcome} passwordLink={needs.passwordLink} />
      {isNew && <ConsentTicksFields ticks={form.ticks} fault={fault} onTick={tick} />}
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
    </form>
  )
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : undefined
}

function firstEmptyOf(form: HTMLFormElement | null): HTMLInputElement | undefined {
  return [...(form?.elements ?? [])].find((field) => field instanceof HTMLInputElement && field.value === '') as
    | HTMLInputElement
    | undefined
}
