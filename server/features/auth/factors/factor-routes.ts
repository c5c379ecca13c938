// Contract to service for second factors.
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { factorRoutes } from '#shared/factors/contract.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import type { SelfService } from '../self-service.ts'
import type { SecondFactors } from './second-factors.ts'

export function factorHandlers(deps: { factors: SecondFactors; self: Pick<SelfService, 'confirm'> }): Handlers<typeof factorRoutes> {
  const { ofAccount: factors, passkeys, atSignIn } = deps.factors
  const { self } = deps
  return {
    state: async ({ session }) => {
      const [state, keys] = await Promise.all([factors.stateOf(session), passkeys.list(session.user._id)])
      return { success: true, data: { ...state, passkeys: keys, hasPasskeys: passkeys.isOffered } }
    },
    passkeyOptions: async ({ body }) => ({ success: true, data: { options: await atSignIn.passkeyOptions(body.challenge) } }),
    startPasskey: async ({ session }) => ({ success: true, data: { options: await passkeys.startAdding(session) } }),
    addPasskey: async ({ session, body, request }) => {
      const recoveryCodes = await passkeys.add(session, body, callerOf(request))
      return { success: true, message: text.passkeyAdded, data: { recoveryCodes } }
    },
    removePasskey: async ({ session, body, request }) => {
      await self.confirm(session, body)
      await passkeys.remove(session, body.id, callerOf(request))
      return { success: true, message: text.passkeyRemoved }
    },
    startTotp: async ({ session }) => ({ success: true, data: await factors.startTotp(session) }),
    confirmTotp: async ({ session, body, request }) => {
      const recoveryCodes = await factors.confirmTotp(session, body, callerOf(request))
      return { success: true, message: text.added, data: { recoveryCodes } }
    },
    removeTotp: async ({ session, body, request }) => {
      await self.confirm(session, body)
      await factors.removeTotp(session, callerOf(request))
      return { success: true, message: text.removed }
    },
    newRecoveryCodes: async ({ session, request }) => ({
      success: true,
      data: { recoveryCodes: await factors.newRecoveryCodes(session, callerOf(request)) },
    }),
    reset: async ({ session, body, request }) => {
      await factors.reset(session, body, callerOf(request))
      return { success: true, message: text.wasReset }
    },
  }
}
