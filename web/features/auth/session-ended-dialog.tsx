// Dialog that asks for a sign-in after the session has ended, and returns to the page below.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import { authText } from '#shared/auth/text/en.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { sessionEndedText as text } from '#shared/auth/text/en-session.ts'
import { session } from '#web/lib/browser-storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSaveSession, useSignIn } from './use-sign-in.ts'
import { CodeForm } from './factors/code-form.tsx'
import { signInFailureText } from './parse-sign-up-response.ts'
import type { Solving } from './with-proof.ts'

export interface SessionEndedDialogProps {
  /** The server's reason; empty without a particular one. */
  readonly message: string
  readonly onLeave: () => void
}

/** Closes with the sign-in or with `onLeave`, never by Escape: that would lose the work below. */
export function SessionEndedDialog({ message, onLeave }: SessionEndedDialogProps) {
  const [challenge, setChallenge] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const saveSession = useSaveSession()
  return (
    <Dialog
      isOpen
      hidesPage
      onClose={undefined}
      title={text.title}
      description={message === '' ? text.text : message}
      widthClass="max-w-sm"
      firstField={field}
    >
      {challenge === undefined ? (
        <PasswordStep field={field} onChallenge={setChallenge} />
      ) : (
        <div className="pt-4">
          <CodeForm
            challenge={challenge}
            onSignedIn={(response) => saveSession(response).cacheUser()}
            onRestart={() => setChallenge(undefined)}
          />
        </div>
      )}
      <Button variant="quiet" size="small" className="mt-4 -ml-2" onClick={onLeave}>
        {text.otherAccount}
      </Button>
    </Dialog>
  )
}

interface PasswordStepProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly onChallenge: (challenge: string) => void
}

function PasswordStep({ field, onChallenge }: PasswordStepProps) {
  const [storedEmail] = useState(() => session.user()?.email)
  const [email, setEmail] = useState(storedEmail ?? '')
  const [password, setPassword] = useState('')
  const [issue, setIssue] = useState<string>()
  const [solving, setSolving] = useState<Solving>()
  const signIn = useSignIn(setSolving)
  const submit = useMutation({
    mutationFn: async () => {
      const result = await signIn.mutateAsync({ email, password })
      if ('challenge' in result) onChallenge(result.challenge)
      else result.cacheUser()
    },
    onError: (error) => setIssue(signInFailureText(error)),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  return (
    <DialogForm
      submitLabel={text.submit}
      busyText={solving?.label ?? loginText.signInBusy}
      isBusy={submit.isPending}
      onSubmit={() => (password === '' ? setIssue(authText.fillRequired) : submit.mutate())}
    >
      <TextField
        name="email"
        type="email"
        label={loginText.email}
        autoComplete="username"
        value={email}
        readOnly={storedEmail !== undefined}
        onChange={({ target }) => setEmail(target.value)}
      />
      <PasswordField
        ref={field}
        name="password"
        label={loginText.password}
        autoComplete="current-password"
        value={password}
        error={issue}
        onChange={({ target }) => {
          setPassword(target.value)
          setIssue(undefined)
        }}
        required
      />
      <output className="block text-13 text-pretty text-text-2 empty:hidden">{solving?.note}</output>
    </DialogForm>
  )
}
