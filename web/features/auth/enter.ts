// The calls of signing in and up.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { SignInForm } from '#shared/auth/rules.ts'
import type { CallOf, ReplyOf } from '#shared/http/route.ts'
import { userKey } from '#web/lib/query.ts'
import { session } from '#web/lib/storage.ts'
import type { OnSolving } from '#web/lib/with-proof.ts'
import { readSignUp, type SignUpOutcome } from './outcomes.ts'

// The contract, its schemas and the solver of challenges come with the first call, so that the form is there before them.
const loadApi = () => import('#web/lib/api.ts')
const loadProof = () => import('#web/lib/with-proof.ts')

/** A finished sign-in; the cache learns of the user by `enter()`, when the page is left. */
export interface Entry {
  readonly message: string
  readonly enter: () => void
}

/** The server's answer to a finished sign-in. */
export type SignedIn = ReplyOf<typeof authRoutes.secondFactor>

/** Keeps token and display fields of a sign-in. */
export function useEntry(): (answer: SignedIn) => Entry {
  const cache = useQueryClient()
  return ({ data, message }) => {
    session.save(data.sessionToken, data.user)
    return { message, enter: () => void cache.setQueryData(userKey, data.user) }
  }
}

/** Signs in, or resolves to the challenge that a second factor has to answer. */
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

/** Creates an account; resolves to what to say, and rejects only where no answer came. */
export function useSignUp(onSolving: OnSolving) {
  return useMutation({
    mutationFn: async (body: CallOf<typeof authRoutes.signUp>['body']): Promise<SignUpOutcome> => {
      const [{ send }, { authRoutes: routes }, { pathOf }, { toApiError }, { withProof }] = await Promise.all([
        loadApi(),
        import('#shared/auth/contract.ts'),
        import('#shared/http/route.ts'),
        import('#shared/http/client.ts'),
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
