// Routes of second factors.
import { done } from '#shared/http/app-error.ts'
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { factorRoutes } from '#shared/factors/contract.ts'
import type { ConfirmPassword } from '../confirm-password.ts'
import type { SecondFactors } from './second-factors.ts'

interface FactorHandlerOptions {
  readonly factors: SecondFactors
  readonly cookie: SessionCookie
  readonly confirm: ConfirmPassword
}

export function factorHandlers({ factors: all, cookie, confirm }: FactorHandlerOptions): Handlers<typeof factorRoutes> {
  const { ofAccount: factors, passkeys, atSignIn } = all
  return {
    state: async ({ session }) => {
      const [state, keys] = await Promise.all([factors.stateOf(session), passkeys.list(session.user._id)])
      return { success: true, data: { ...state, passkeys: keys, hasPasskeys: passkeys.isOffered } }
    },
    passkeyOptions: async ({ body }) => ({ success: true, data: { options: await atSignIn.passkeyOptions(body.challenge) } }),
    startPasskey: async ({ session }) => ({ success: true, data: { options: await passkeys.startAdding(session) } }),
    addPasskey: async ({ session, body, request, reply }) => {
      const { recoveryCodes, cookie: value } = await passkeys.add(session, body, callerOf(request))
      cookie.write(reply, value)
      return { ...done('factors.passkeyAdded'), data: { recoveryCodes } }
    },
    removePasskey: async (incoming) => {
      const { session, body, request } = incoming
      await confirm(incoming, body)
      await passkeys.remove(session, body.id, callerOf(request))
      return done('factors.passkeyRemoved')
    },
    startTotp: async ({ session }) => ({ success: true, data: await factors.startTotp(session) }),
    confirmTotp: async ({ session, body, request, reply }) => {
      const { recoveryCodes, cookie: value } = await factors.confirmTotp(session, body, callerOf(request))
      cookie.write(reply, value)
      return { ...done('factors.added'), data: { recoveryCodes } }
    },
    removeTotp: async (incoming) => {
      const { session, body, request } = incoming
      await confirm(incoming, body)
      await factors.removeTotp(session, callerOf(request))
      return done('factors.removed')
    },
    newRecoveryCodes: async ({ session, request }) => ({
      success: true,
      data: { recoveryCodes: await factors.newRecoveryCodes(session, callerOf(request)) },
    }),
    reset: async ({ session, body, request }) => {
      await factors.reset(session, body, callerOf(request))
      return done('factors.wasReset')
    },
  }
}
