// Sign-in and sign-up calls.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { SignInForm } from '#shared/auth/rules.ts'
import type { CallOf, ReplyOf } from '#shared/http/route.ts'
import { forgetUnsavedOfOthers } from '#web/lib/personal-data.ts'
import { userKey } from '#web/lib/query.ts'
import { session } from '#web/lib/storage.ts'
import { readSignUp, type SignUpOutcome } from './parse-response.ts'
import type { OnSolving } from './with-proof.ts'

// Loaded after the form, so that it appears before the contract, its schemas and the challenge solver.
const loadApi = () => import('#web/lib/api.ts')
const loadProof = () => import('./with-proof.ts')
const loadSignUp = () =>
  Promise.all([import('#shared/auth/contract.ts'), import('#shared/http/route.ts'), import('#shared/http/client.ts')])

/** Loads the code of the calls while the form is filled in: a new build or a lost connection must not cost what was typed. */
export function prepareCalls(): void {
  // A call loads again what is missing.
  Promise.all([loadApi(), loadProof(), loadSignUp()]).catch(() => undefined)
}

/** A completed sign-in; `enter()` updates the user in the cache when the page is left. */
export interface Entry {
  readonly message: string
  readonly enter: () => void
}

/** The server's response to a completed sign-in. */
export type SignedIn = ReplyOf<typeof authRoutes.secondFactor>

/** Stores token and display fields of a sign-in, and removes the unsaved changes of other people. */
export function useEntry(): (answer: SignedIn) => Entry {
  const cache = useQueryClient()
  return ({ data, message }) => {
    session.save(data.sessionToken, data.user)
    forgetUnsavedOfOthers({ id: data.user._id, email: data.user.email })
    return { message, enter: () => void cache.setQueryData(userKey, data.user) }
  }
}

/** Signs in, or resolves to the challenge for the second factor. */
export function useSignIn(onSolving: OnSolving) {
  const enter = useEntry()
  return useMutation({
    mutationFn: async (body: SignInForm): Promise<Entry | { readonly challenge: string }> => {
      const [{ client }, { withProof }] = await Promise.all([loadApi(), loadProof()])
      const answer = await withProof((proof) => client.auth.signIn({ body: { ...body, proof } }), onSolving)
      return answer.success ? enter(answer) : answer.data
    },
    meta: { isQuiet: true },
  })
}

/** Creates an account; resolves to the message to show, and rejects only without a response. */
export function useSignUp(onSolving: OnSolving) {
  return useMutation({
    mutationFn: async (body: CallOf<typeof authRoutes.signUp>['body']): Promise<SignUpOutcome> => {
      const [{ send }, [{ authRoutes: routes }, { pathOf }, { toApiError }], { withProof }] = await Promise.all([
        loadApi(),
        loadSignUp(),
        loadProof(),
      ])
      const route = routes.signUp
      return withProof(async (proof) => {
        const reply = await send({ method: route.method, path: pathOf(route, {}), body: { ...body, proof } })
        if (reply.status === 429) throw toApiError(reply)
        return readSignUp(reply.body)
      }, onSolving)
    },
    meta: { isQuiet: true },
  })
}
