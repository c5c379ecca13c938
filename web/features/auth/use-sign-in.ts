// Sign-in and sign-up calls.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { SignInForm } from '#shared/auth/rules.ts'
import type { CallOf, ReplyOf } from '#shared/http/route.ts'
import { forgetUnsavedOfOthers } from '#web/lib/forget-unsaved.ts'
import { userKey } from '#web/lib/query-client.ts'
import { session } from '#web/lib/storage.ts'
import { parseSignUpResponse, type SignUpResult } from './parse-sign-up-response.ts'
import type { OnSolving } from './with-proof.ts'

// Loaded after the form, so that it appears before the contract, its schemas and the challenge solver.
const loadApi = () => import('#web/lib/api.ts')
const loadProof = () => import('./with-proof.ts')
const loadSignUp = () =>
  Promise.all([import('#shared/auth/contract.ts'), import('#shared/http/route.ts'), import('#shared/http/client.ts')])

/** Loads the code of the calls while the form is filled in: a new build or a lost connection must not cost what was typed. */
export function preloadCalls(): void {
  // A call loads again what is missing.
  Promise.all([loadApi(), loadProof(), loadSignUp()]).catch(() => undefined)
}

/** `cacheUser()` updates the user in the cache when the page is left. */
export interface CompletedSignIn {
  readonly message: string
  readonly cacheUser: () => void
}

/** The server's response to a completed sign-in. */
export type SignInResponse = ReplyOf<typeof authRoutes.secondFactor>

/** Stores token and display fields of a sign-in, and removes the unsaved changes of other people. */
export function useSaveSession(): (response: SignInResponse) => CompletedSignIn {
  const cache = useQueryClient()
  return ({ data, message }) => {
    session.save(data.sessionToken, data.user)
    forgetUnsavedOfOthers({ id: data.user._id, email: data.user.email })
    return { message, cacheUser: () => void cache.setQueryData(userKey, data.user) }
  }
}

/** Signs in, or resolves to the challenge for the second factor. */
export function useSignIn(onSolving: OnSolving) {
  const saveSession = useSaveSession()
  return useMutation({
    mutationFn: async (body: SignInForm): Promise<CompletedSignIn | { readonly challenge: string }> => {
      const [{ client }, { withProof }] = await Promise.all([loadApi(), loadProof()])
      const response = await withProof((proof) => client.auth.signIn({ body: { ...body, proof } }), onSolving)
      return response.success ? saveSession(response) : response.data
    },
    meta: { isQuiet: true },
  })
}

/** Creates an account; resolves to the message to show, and rejects only without a response. */
export function useSignUp(onSolving: OnSolving) {
  return useMutation({
    mutationFn: async (body: CallOf<typeof authRoutes.signUp>['body']): Promise<SignUpResult> => {
      const [{ send }, [{ authRoutes: routes }, { pathOf }, { toApiError }], { withProof }] = await Promise.all([
        loadApi(),
        loadSignUp(),
        loadProof(),
      ])
      const route = routes.signUp
      return withProof(async (proof) => {
        const response = await send({ method: route.method, path: pathOf(route, {}), body: { ...body, proof } })
        if (response.status === 429) throw toApiError(response)
        return parseSignUpResponse(response.body)
      }, onSolving)
    },
    meta: { isQuiet: true },
  })
}
