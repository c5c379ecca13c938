// Second step of a sign-in: an authenticator code or a recovery code.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readCode } from '#shared/factors/rules.ts'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { authRoutes } from '#shared/auth/contract.ts'
import { call } from '#web/lib/api.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/lib/toast.ts'
import type { SignInResponse } from '../use-sign-in.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { canUsePasskeys } from '#web/features/auth/factors/api.ts'

export interface CodeFormProps {
  readonly challenge: string
  readonly onSignedIn: (response: SignInResponse) => void
  /** Returns to the password form. */
  readonly onRestart: () => void
}

/** Stays busy until the page is left, like the password form. */
export function CodeForm({ challenge, onSignedIn, onRestart }: CodeFormProps) {
  const [isRecovery, setIsRecovery] = useState(false)
  const { code, issue, isBusy, change, submit, fail } = useCode({ challenge, onSignedIn, onRestart })
  const switchKind = () => {
    change('')
    setIsRecovery(!isRecovery)
  }
  return (
    <Form aria-label={text.enterCode} className="-mt-4 flex flex-col gap-4" onSubmit={submit}>
      <p className="text-13 text-pretty text-text-2">{isRecovery ? text.recoveryIntro : text.codeIntro}</p>
      {/* Switching the kind of code remounts an empty input with the other keyboard. */}
      <CodeField key={isRecovery ? 'recovery' : 'app'} isRecovery={isRecovery} value={code} error={issue} onType={change} />
      <Button type="submit" size="large" className="mt-2 w-full" isBusy={isBusy} busyText={text.codeBusy}>
        {text.codeSubmit}
      </Button>
      <PasskeyButton challenge={challenge} onSignedIn={onSignedIn} onError={(error) => fail(error, text.passkeyFailed)} />
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button variant="quiet" size="small" className="-ml-2" onClick={switchKind}>
          {isRecovery ? text.toApp : text.toRecovery}
        </Button>
        <Button variant="quiet" size="small" className="-mr-2" onClick={onRestart}>
          {text.codeBack}
        </Button>
      </div>
    </Form>
  )
}

/** The typed code and its check; an expired challenge returns to the password form. */
function useCode({ challenge, onSignedIn, onRestart }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [issue, setIssue] = useState<string>()
  const fail = (error: unknown, fallback: string) => {
    const message = serverMessageOf(error) ?? fallback
    if (apiErrorOf(error)?.code !== 'factors.challengeEnded') return setIssue(message)
    toast({ kind: 'danger', text: message })
    onRestart()
  }
  const check = useMutation({
    mutationFn: () => call(authRoutes.secondFactor, { body: { challenge, code } }),
    onSuccess: onSignedIn,
    onError: (error) => fail(error, text.codeFailed),
    meta: { isQuiet: true },
  })
  const isBusy = check.isPending || check.isSuccess
  return {
    code,
    issue,
    isBusy,
    fail,
    change: (value: string) => {
      setCode(value)
      setIssue(undefined)
    },
    submit: () => {
      if (isBusy) return
      if (readCode(code) === undefined) setIssue(text.codeShape)
      else check.mutate()
    },
  }
}

interface CodeFieldProps {
  readonly isRecovery: boolean
  readonly value: string
  readonly error: string | undefined
  readonly onType: (value: string) => void
}

/** Takes the focus when it appears and with each new error. */
function CodeField({ isRecovery, value, error, onType }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (error !== undefined) field.current?.focus()
  }, [error])
  return (
    <TextField
      ref={field}
      name="code"
      label={isRecovery ? text.recoveryLabel : text.codeLabel}
      value={value}
      error={error}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      className="tabular-nums"
      onChange={({ target }) => onType(target.value)}
      required
    />
  )
}

interface PasskeyButtonProps {
  readonly challenge: string
  readonly onSignedIn: (response: SignInResponse) => void
  readonly onError: (error: unknown) => void
}

function PasskeyButton({ challenge, onSignedIn, onError }: PasskeyButtonProps) {
  const { data: options, refetch } = useQuery({
    queryKey: ['passkey-options', challenge],
    queryFn: async () => (await call(factorRoutes.passkeyOptions, { body: { challenge } })).data.options ?? null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const use = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const passkey = await startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
      return call(authRoutes.secondFactor, { body: { challenge, passkey: { ...passkey } } })
    },
    onSuccess: onSignedIn,
    onError: (error) => {
      onError(error)
      void refetch()
    },
    meta: { isQuiet: true },
  })
  if (options === undefined || options === null || !canUsePasskeys()) return null
  return (
    <Button variant="outline" size="large" isBusy={use.isPending || use.isSuccess} onClick={() => use.mutate()}>
      {text.toPasskey}
    </Button>
  )
}
