// The fields of the sign-in and the sign-up form.
import { useEffect } from 'react'
import type { SignUpForm } from '#shared/auth/rules.ts'
import { loginText } from '#shared/text/en/login.ts'
import { site } from '#web/lib/site.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { phoneHintOf, type LoginField, type LoginForm, type LoginMode } from './login-form.ts'
import { PasswordField } from './password-field.tsx'

export interface LoginFieldsProps {
  readonly mode: LoginMode
  readonly form: LoginForm
  readonly onType: (field: LoginField, value: string) => void
  /** The fields are on the page; must be stable. */
  readonly onAppear: () => void
}

/** In the order of the spec: name, email, phone, password, confirmation. */
export function LoginFields({ mode, form, onType, onAppear }: LoginFieldsProps) {
  useEffect(onAppear, [onAppear])
  const isNew = mode === 'sign-up'
  const bind = (field: keyof SignUpForm) => ({
    name: field,
    value: form.values[field],
    error: form.fault?.field === field ? form.fault.message : undefined,
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
        aside={isNew ? undefined : <ForgotLink />}
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
      // The error says the same as the warning; once is enough.
      hint={props.error === undefined ? hint : undefined}
      hintKind={warning === undefined ? 'plain' : 'warn'}
    />
  )
}

function ForgotLink() {
  return (
    <a
      href={site.supportUrl}
      target="_blank"
      rel="noreferrer"
      className="rounded-control text-12 text-accent hover:underline pointer-coarse:py-3"
    >
      {loginText.forgotPassword}
    </a>
  )
}
