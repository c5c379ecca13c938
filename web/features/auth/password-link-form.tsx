// Requests a password reset link; the response is the same for any email.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { authText } from '#shared/auth/text/en.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote, Form } from '#web/ui/form.tsx'
import { CheckIcon } from '#web/ui/icon.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { Solving } from './with-proof.ts'

/** Starts with the email typed into the sign-in form. */
export function PasswordLinkForm() {
  const { state } = useLocation()
  const [email, setEmail] = useState(() => typedEmail(state))
  const [issue, setIssue] = useState<string>()
  const [solving, setSolving] = useState<Solving>()
  const request = useMutation({
    mutationFn: async () => {
      const [{ authCalls }, { withProof }] = await Promise.all([import('./auth-calls.ts'), import('./with-proof.ts')])
      return withProof((proof) => authCalls.askForLink({ email: normaliseEmail(email), proof }), setSolving)
    },
    meta: { isQuiet: true },
  })
  const submit = () => {
    const found = email.trim() === '' ? authText.fillRequired : isEmail(normaliseEmail(email)) ? undefined : authText.emailInvalid
    setIssue(found)
    if (found === undefined && !request.isPending) request.mutate()
  }
  return (
    <Form aria-label={text.linkTitle} className="grid gap-4" onSubmit={submit}>
      <p className="text-13 text-pretty text-text-2">{text.linkIntro}</p>
      <TextField
        label={text.email}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={email}
        error={issue}
        onChange={({ target }) => {
          setEmail(target.value)
          setIssue(undefined)
          request.reset()
        }}
      />
      {request.isError && <ErrorNote>{serverMessageOf(request.error) ?? text.linkFailed}</ErrorNote>}
      <output className="block empty:hidden">
        {request.isSuccess && (
          <span className="flex gap-2 rounded-control border border-line-strong bg-surface px-3 py-2 text-13">
            <CheckIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" strokeWidth={1.75} />
            {request.data.message}
          </span>
        )}
      </output>
      <Button type="submit" size="large" className="w-full" isBusy={request.isPending} busyText={solving?.label ?? text.linkBusy}>
        {text.linkSubmit}
      </Button>
    </Form>
  )
}

function typedEmail(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
}
