// Fields of the sign-in and sign-up forms.
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { SignUpForm } from '#shared/auth/rules.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { site } from '#web/lib/site.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { phoneHintOf, type LoginField, type LoginForm, type LoginMode } from './login-form.ts'

export interface LoginFieldsProps {
  readonly mode: LoginMode
  readonly form: LoginForm
  readonly onType: (field: LoginField, value: string) => void
  /** Called when the fields are mounted; must be stable. */
  readonly onAppear: () => void
  /** Address of the form that requests a reset link. */
  readonly passwordLink: string
}

/** Order as in the specification: name, email, phone, password, confirmation. */
export function LoginFields({ mode, form, onType, onAppear, passwordLink }: LoginFieldsProps) {
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
