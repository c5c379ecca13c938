// Sign-in or sign-up form, depending on the address.
import { useCallback, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { ConsentTicks } from '#shared/privacy/rules.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { Button } from '#web/ui/button.tsx'
import { Form, useIssueFocus } from '#web/ui/form.tsx'
import { preloadCalls } from './use-sign-in.ts'
import { isConsentBox, isLoginField, type LoginIssue, phoneHintOf, type LoginField, type LoginForm, type LoginMode } from './login-form.ts'
import { useLogin, type LoginOptions } from './use-login.ts'
import { Link } from 'react-router'
import type { SignUpForm } from '#shared/auth/rules.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { site } from '#web/lib/site.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

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

interface LoginFieldsProps {
  readonly mode: LoginMode
  readonly form: LoginForm
  readonly onType: (field: LoginField, value: string) => void
  /** Called when the fields are mounted; must be stable. */
  readonly onAppear: () => void
  /** Address of the form that requests a reset link. */
  readonly passwordLink: string
}

/** Order as in the specification: name, email, phone, password, confirmation. */
function LoginFields({ mode, form, onType, onAppear, passwordLink }: LoginFieldsProps) {
  useEffect(onAppear, [onAppear])
  const isNew = mode === 'sign-up'
  const bind = (field: keyof SignUpForm) => ({
    name: field,
    value: form.values[field],
    error: form.issue?.field === field ? form.issue.message : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) => onType(field, event.target.value),
  })
  return (
    <>
      {isNew && <TextField {...bind('name')} label={loginText.name} autoComplete="name" required />}
      <TextField
        {...bind('email')}
        label={loginText.email}
        type="email"
        inputMode="email"
        autoComplete={isNew ? 'email' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      {isNew && <PhoneField {...bind('phone')} />}
      <PasswordField
        {...bind('password')}
        label={loginText.password}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        aside={isNew ? undefined : <ForgotLinks email={form.values.email} passwordLink={passwordLink} />}
      />
      {isNew && <PasswordField {...bind('confirmPassword')} label={loginText.confirmPassword} autoComplete="new-password" required />}
    </>
  )
}

interface PhoneFieldProps {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
}

function PhoneField(props: PhoneFieldProps) {
  const warning = phoneHintOf(props.value)
  const hint = warning ?? (props.value === '' ? loginText.phoneHint : undefined)
  return (
    <TextField
      {...props}
      label={loginText.phone}
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      required
      // The error repeats the hint; show only one.
      hint={props.error === undefined ? hint : undefined}
      hintKind={warning === undefined ? 'plain' : 'warn'}
    />
  )
}

const linkClass = 'rounded-control text-12 text-accent hover:underline pointer-coarse:py-3'

/** The reset link is shown only where email is configured; the typed email is passed along. */
function ForgotLinks({ email, passwordLink }: { readonly email: string; readonly passwordLink: string }) {
  return (
    <span className="flex items-center gap-3">
      <a href={site.supportUrl} target="_blank" rel="noreferrer" className={linkClass}>
        {loginText.forgotPassword}
      </a>
      {site.hasMail && (
        <Link to={passwordLink} state={{ email }} className={linkClass}>
          {accountText.linkOffer}
        </Link>
      )}
    </span>
  )
}
