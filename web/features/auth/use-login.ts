// Logic of the login screen: validates the form, makes the call and shows the result.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { normaliseEmail } from '#shared/auth/rules.ts'
import type { ConsentTicks } from '#shared/privacy/rules.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { authText } from '#shared/auth/text/en.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { toast } from '#web/lib/toast.ts'
import { useSaveSession, useSignIn, useSignUp, type CompletedSignIn, type SignInResponse } from './use-sign-in.ts'
import { emptyLoginForm, findLoginIssue, loginReducer, serverLoginIssue, type LoginField, type LoginMode } from './login-form.ts'
import { signInFailureText, signUpFailureText } from './parse-sign-up-response.ts'
import type { Solving } from './with-proof.ts'

const afterMs = 1500

export interface LoginOptions {
  readonly mode: LoginMode
  /** Opens the dashboard. */
  readonly onEnter: () => void
  /** In the form from the start. */
  readonly email?: string
  /** Asks for the second factor's code of the account with this email. */
  readonly onChallenge: (challenge: string, email: string) => void
  /** Shows the sign-in form. */
  readonly onSignedUp: () => void
}

/** State and actions of the form; `submit` moves no focus, the form focuses the field of the error. */
export function useLogin({ mode, email = '', onEnter, onChallenge, onSignedUp }: LoginOptions) {
  const [form, dispatch] = useReducer(loginReducer, { ...emptyLoginForm, values: { ...emptyLoginForm.values, email } })
  const [solving, setSolving] = useState<Solving>()
  const signIn = useSignIn(setSolving)
  const signUp = useSignUp(setSolving)
  const later = useLater()
  const openDashboard = useOpenDashboard(onEnter)
  const { values } = form

  const fail = (fields: Readonly<Record<string, string>>, message: string) => {
    const issue = serverLoginIssue(mode, fields)
    if (issue === undefined) toast({ kind: 'danger', text: message })
    else dispatch({ type: 'rejected', issue })
  }

  const enter = () =>
    signIn.mutate(
      { email: normaliseEmail(values.email), password: values.password },
      {
        onSuccess: (result) => ('challenge' in result ? onChallenge(result.challenge, values.email) : openDashboard(result)),
        onError: (error) => fail(apiErrorOf(error)?.fields ?? {}, signInFailureText(error)),
      },
    )

  const create = () =>
    signUp.mutate(
      {
        ...values,
        email: normaliseEmail(values.email),
        name: values.name.trim(),
        consent: { noticeVersion, isAdult: form.ticks.isAdult },
      },
      {
        onSuccess: ({ isDone, message, fields }) => {
          if (!isDone) return fail(fields, message)
          toast({ kind: 'ok', text: message })
          dispatch({ type: 'signed-up' })
          onSignedUp()
          later.start(afterMs, () => toast({ kind: 'info', text: authText.pleaseLogIn }))
        },
        onError: (error) => fail({}, signUpFailureText(error)),
      },
    )

  return {
    form,
    /** Progress of a proof-of-work challenge. */
    solving,
    // Busy until the page is left, so that the form cannot be sent again before the redirect.
    isBusy: mode === 'sign-in' ? signIn.isPending || signIn.isSuccess : signUp.isPending,
    type: (field: LoginField, value: string) => dispatch({ type: 'typed', field, value }),
    tick: (box: keyof ConsentTicks, isTicked: boolean) => dispatch({ type: 'ticked', box, isTicked }),
    clearIssues: useCallback(() => dispatch({ type: 'cleared-issues' }), []),
    switchForm: useCallback(() => dispatch({ type: 'switched' }), []),
    submit: () => {
      const issue = findLoginIssue(mode, form)
      if (issue !== undefined) dispatch({ type: 'rejected', issue })
      // A session is a cookie and a token; without the cookie the next call would ask for a sign-in again.
      else if (!navigator.cookieEnabled) toast({ kind: 'danger', text: loginText.cookiesBlocked })
      else if (mode === 'sign-in') enter()
      else create()
    },
  }
}

/** Confirms the sign-in, and opens the dashboard after a delay. */
function useOpenDashboard(onEnter: () => void): (signIn: CompletedSignIn) => void {
  const later = useLater()
  return ({ message, cacheUser }) => {
    toast({ kind: 'ok', text: message })
    // Leaving early must not lose the new session, so the cache is updated in both cases.
    later.start(afterMs, () => (cacheUser(), onEnter()), cacheUser)
  }
}

/** Runs after the second step of a sign-in. */
export function useFinishSignIn(onEnter: () => void): (response: SignInResponse) => void {
  const saveSession = useSaveSession()
  const openDashboard = useOpenDashboard(onEnter)
  return (response) => openDashboard(saveSession(response))
}

/** A single delayed action; `onLeave` runs instead if the screen unmounts before. */
function useLater() {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; onLeave: (() => void) | undefined }>(undefined)
  useEffect(
    () => () => {
      if (waiting.current === undefined) return
      clearTimeout(waiting.current.timer)
      waiting.current.onLeave?.()
      waiting.current = undefined
    },
    [],
  )
  return {
    start: (delayMs: number, action: () => void, onLeave?: () => void) => {
      clearTimeout(waiting.current?.timer)
      const timer = setTimeout(() => {
        waiting.current = undefined
        action()
      }, delayMs)
      waiting.current = { timer, onLeave }
    },
  }
}
