// Routes of a user's personal data; checks the password and clears the cookie.
import type { FastifyReply } from 'fastify'
import { requireRecentPassword, actorOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import { AppError, done } from '#shared/http/app-error.ts'
import type { privacyRoutes } from '#shared/privacy/contract.ts'
import type { PrivacyService } from './service.ts'

type Erasure = Incoming<typeof privacyRoutes.eraseAccount>

interface PrivacyHandlerDeps {
  readonly privacy: PrivacyService
  readonly cookie: SessionCookie
  /** The known-device cookie. */
  readonly device: { clear(reply: FastifyReply): void }
  /** Checks the caller's password. @throws AppError invalid, too-many, unauthenticated */
  readonly confirm: (incoming: Erasure, form: { password: string }) => Promise<unknown>
  readonly now: () => number
}

export function privacyHandlers({ privacy, cookie, device, confirm, now }: PrivacyHandlerDeps): Handlers<typeof privacyRoutes> {
  return {
    state: async ({ session }) => ({ success: true, data: await privacy.stateOf(session.user._id) }),
    exportData: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      const file = await privacy.exportData(actorOf(incoming))
      void incoming.reply.header('content-disposition', 'attachment; filename="my-data.json"')
      return file
    },
    giveConsent: async ({ session, body }) => {
      await privacy.give(session.user._id, body)
      return done('privacy.agreed')
    },
    withdrawConsent: async ({ session }) => {
      requireRecentPassword(session, now())
      await privacy.withdraw(session.user._id)
      return done('privacy.withdrawn')
    },
    eraseAccount: async (incoming) => {
      const { body, reply } = incoming
      if (body.password === '') throw new AppError('invalid', 'kit.passwordEmpty', { fields: { password: 'kit.passwordEmpty' } })
      await confirm(incoming, body)
      await privacy.erase(actorOf(incoming))
      cookie.clear(reply)
      device.clear(reply)
      return done('privacy.erased')
    },
  }
}
