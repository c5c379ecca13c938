// Routes of a user's personal data; checks the password and clears the cookie.
import type { FastifyReply } from 'fastify'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import { AppError, done } from '#shared/http/app-error.ts'
import type { privacyRoutes } from '#shared/privacy/contract.ts'
import type { Owner, PrivacyService } from './service.ts'

type Erasure = Incoming<typeof privacyRoutes.eraseAccount>

export interface PrivacyHandlerOptions {
  readonly privacy: PrivacyService
  readonly cookie: SessionCookie
  /** The known-device cookie. */
  readonly device: { clear(reply: FastifyReply): void }
  /** Checks the caller's password. @throws AppError invalid, too-many, unauthenticated */
  readonly confirm: (incoming: Erasure, form: { password: string }) => Promise<unknown>
  readonly now: () => number
}

export function privacyHandlers({ privacy, cookie, device, confirm, now }: PrivacyHandlerOptions): Handlers<typeof privacyRoutes> {
  return {
    state: async (incoming) => ({ success: true, data: await privacy.stateOf(ownerOf(incoming)) }),
    exportData: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      const file = await privacy.exportData(ownerOf(incoming))
      void incoming.reply.header('content-disposition', 'attachment; filename="my-data.json"')
      return file
    },
    giveConsent: async (incoming) => {
      await privacy.give(ownerOf(incoming), incoming.body)
      return done('privacy.agreed')
    },
    withdrawConsent: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      await privacy.withdraw(ownerOf(incoming))
      return done('privacy.withdrawn')
    },
    eraseAccount: async (incoming) => {
      const { body, reply } = incoming
      if (body.password === '') throw new AppError('invalid', 'kit.passwordEmpty', { fields: { password: 'kit.passwordEmpty' } })
      await confirm(incoming, body)
      await privacy.erase(ownerOf(incoming))
      cookie.clear(reply)
      device.clear(reply)
      return done('privacy.erased')
    },
  }
}

function ownerOf({ session, request }: Pick<Erasure, 'session' | 'request'>): Owner {
  return { user: session.user, address: callerOf(request).address }
}
