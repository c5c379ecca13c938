// Sign-in and sign-up calls.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { SignInForm } from '#shared/auth/rules.ts'
import type { CallOf, ReplyOf } from '#shared/http/route.ts'
import { forgetUnsavedOfOthers } from '#web/lib/forget-unsaved.ts'
import { userKey } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'
import { parseSignUpResponse, type SignUpResult } from './parse-sign-up-response.ts'
import type { OnSolving } from './with-proof.ts'

// Loaded after the form, so that it appears before the contract, its schemas and the challenge solver.
const loadCalls = () => Promise.all([import('./auth-calls.ts'), import('./with-proof.ts')])

/** Loads the code of the calls while the form is filled in: a new build or a lost connection must not cost what was typed. */
export function preloadCalls(): void {
  // A call loads again what is missing.
  loadCalls().catch(() => undefined)
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
      const [{ authCalls }, { withProof }] = await loadCalls()
      const response = await withProof((proof) => authCalls.signIn({ ...body, proof }), onSolving)
      return response.success ? saveSession(response) : response.data
    },
    meta: { isQuiet: true },
  })
}

/** Creates an account; resolves to the message to show, and rejects only without a response. */
export function useSignUp(onSolving: OnSolving) {
  return useMutation({
    mutationFn: async (body: CallOf<typeof authRoutes.signUp>['body']): Promise<SignUpResult> => {
      const [{ authCalls }, { withProof }] = await loadCalls()
      return parseSignUpResponse(await withProof((proof) => authCalls.signUp({ ...body, proof }), onSolving))
    },
    meta: { isQuiet: true },
  })
}
