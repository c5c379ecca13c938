// What the login screen does: checks the form, makes the call, and says how it went.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { normaliseEmail } from '#shared/auth/rules.ts'
import type { ConsentTicks } from '#shared/privacy/consent.ts'
import { noticeVersion } from '#shared/privacy/notice.ts'
import { authText } from '#shared/text/en/auth.ts'
import { refusalOf } from '#web/lib/failure.ts'
import type { Solving } from '#web/lib/with-proof.ts'
import { toast } from '#web/ui/toast.tsx'
import { useEntry, useSignIn, useSignUp, type Entry, type SignedIn } from './enter.ts'
import { emptyLoginForm, findLoginFault, reduceLogin, serverFaultOf, type LoginField, type LoginMode } from './login-form.ts'
import { signInFailureText, signUpFailureText } from './outcomes.ts'

const afterMs = 1500

export interface LoginNeeds {
  readonly mode: LoginMode
  /** Goes to the dashboard. */
  readonly onEnter: () => void
  /** Asks for the code of a second factor. */
  readonly onChallenge: (challenge: string) => void
  /** Shows the sign-in form. */
  readonly onSignedUp: () => void
}

/** State and actions of the form; `submit` focuses nothing itself, the form follows `fault`. */
export function useLogin({ mode, onEnter, onChallenge, onSignedUp }: LoginNeeds) {
  const [form, tell] = useReducer(reduceLogin, emptyLoginForm)
  const [solving, setSolving] = useState<Solving>()
  const signIn = useSignIn(setSolving)
  const signUp = useSignUp(setSolving)
  const later = useLater()
  const arrive = useArrival(onEnter)
  const { values } = form

  const fail = (fields: Readonly<Record<string, string>>, message: string) => {
    const fault = serverFaultOf(mode, fields)
    if (fault === undefined) toast({ kind: 'danger', text: message })
    else tell({ type: 'faulted', fault })
  }

  const enter = () =>
    signIn.mutate(
      { email: normaliseEmail(values.email), password: values.password },
      {
        onSuccess: (answer) => ('challenge' in answer ? onChallenge(answer.challenge) : arrive(answer)),
        onError: (error) => fail(refusalOf(error)?.fields ?? {}, signInFailureText(error)),
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
          tell({ type: 'signed-up' })
          onSignedUp()
          later.start(afterMs, () => toast({ kind: 'info', text: authText.pleaseLogIn }))
        },
        onError: (error) => fail({}, signUpFailureText(error)),
      },
    )

  return {
    form,
    /** The device works on a challenge of the server. */
    solving,
    // Busy until the page is left, so that nobody signs in twice while the redirect waits.
    isBusy: mode === 'sign-in' ? signIn.isPending || signIn.isSuccess : signUp.isPending,
    type: (field: LoginField, value: string) => tell({ type: 'typed', field, value }),
    tick: (box: keyof ConsentTicks, isTicked: boolean) => tell({ type: 'ticked', box, isTicked }),
    clearFaults: useCallback(() => tell({ type: 'cleared-faults' }), []),
    submit: () => {
      const fault = findLoginFault(mode, form)
      if (fault !== undefined) tell({ type: 'faulted', fault })
      else if (mode === 'sign-in') enter()
      else create()
    },
  }
}

/** Says that the sign-in succeeded, and goes to the dashboard a moment later. */
function useArrival(onEnter: () => void): (entry: Entry) => void {
  const later = useLater()
  return ({ message, enter }) => {
    toast({ kind: 'ok', text: message })
    // Leaving early must not lose the fresh session, so the cache learns of it in both cases.
    later.start(afterMs, () => (enter(), onEnter()), enter)
  }
}

/** What follows the second step of a sign-in. */
export function useSecondStep(onEnter: () => void): (answer: SignedIn) => void {
  const keep = useEntry()
  const arrive = useArrival(onEnter)
  return (answer) => arrive(keep(answer))
}

/** One thing to do later; `onLeave` runs instead where the screen goes away before. */
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
