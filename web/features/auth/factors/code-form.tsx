// The second step of a sign-in: a code of the authenticator app, or a recovery code.
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { readCode } from '#shared/factors/rules.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { client } from '#web/lib/api.ts'
import { refusalOf, serverMessageOf } from '#web/lib/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { SignedIn } from '../enter.ts'
import { PasskeyButton } from './passkey-button.tsx'

export interface CodeFormProps {
  readonly challenge: string
  readonly onSignedIn: (answer: SignedIn) => void
  /** Back to the password. */
  readonly onRestart: () => void
}

/** Busy until the page is left, as the form of the password. */
export function CodeForm({ challenge, onSignedIn, onRestart }: CodeFormProps) {
  const [isRecovery, setIsRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLInputElement | null>(null)
  const fail = (error: unknown, fallback: string) => {
    const message = serverMessageOf(error) ?? fallback
    if (refusalOf(error)?.code !== 'auth.challenge-ended') return setFault(message)
    toast({ kind: 'danger', text: message })
    onRestart()
  }
  const check = useMutation({
    mutationFn: () => client.auth.secondFactor({ body: { challenge, code } }),
    onSuccess: onSignedIn,
    onError: (error) => fail(error, text.codeFailed),
    meta: { isQuiet: true },
  })
  useEffect(() => {
    if (fault !== undefined) field.current?.focus()
  }, [fault])
  // Stable, so that it runs when a field comes: at first, and with the other kind of code.
  const welcome = useCallback((input: HTMLInputElement | null) => {
    field.current = input
    input?.focus()
  }, [])

  const submit = () => {
    if (check.isPending || check.isSuccess) return
    if (readCode(code) === undefined) setFault(text.codeShape)
    else check.mutate()
  }
  const change = (value: string) => {
    setCode(value)
    setFault(undefined)
  }

  return (
    <form
      noValidate
      aria-label={text.enterCode}
      className="-mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className="text-13 text-pretty text-text-2">{isRecovery ? text.recoveryIntro : text.codeIntro}</p>
      <TextField
        // The other kind of code starts empty, with the other keyboard.
        key={isRecovery ? 'recovery' : 'app'}
        ref={welcome}
        name="code"
        label={isRecovery ? text.recoveryLabel : text.codeLabel}
        value={code}
        error={fault}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        className="tabular-nums"
        onChange={({ target }) => change(target.value)}
        required
      />
      <Button type="submit" size="large" className="mt-2 w-full" isBusy={check.isPending || check.isSuccess} busyText={text.codeBusy}>
        {text.codeSubmit}
      </Button>
      <PasskeyButton challenge={challenge} onSignedIn={onSignedIn} onError={(error) => fail(error, text.passkeyFailed)} />
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button
          variant="quiet"
          size="small"
          className="-ml-2"
          onClick={() => {
            change('')
            setIsRecovery(!isRecovery)
          }}
        >
          {isRecovery ? text.toApp : text.toRecovery}
        </Button>
        <Button variant="quiet" size="small" className="-mr-2" onClick={onRestart}>
          {text.codeBack}
        </Button>
      </div>
    </form>
  )
}
