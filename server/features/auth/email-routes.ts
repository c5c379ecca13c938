// Routes of account email addresses.
import { done } from '#shared/http/app-error.ts'
import type { Handlers } from '#server/http/serve.ts'
import { callerOf } from '#server/http/session.ts'
import type { emailRoutes } from '#shared/auth/email-contract.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import type { EmailService } from './email-service.ts'

export function emailHandlers(options: { emails: EmailService; confirm: ConfirmPassword }): Handlers<typeof emailRoutes> {
  const { emails, confirm } = options
  return {
    state: async ({ session }) => ({ success: true, data: await emails.state(session) }),
    sendAgain: async ({ session }) => {
      await emails.sendAgain(session)
      return done('email.sent')
    },
    change: async (incoming) => {
      const { session, body } = incoming
      const { hash } = await confirm(incoming, body)
      await emails.change(session, body, hash)
      return done('email.changeSent')
    },
    confirm: async ({ body, request }) => {
      await emails.confirm(body, callerOf(request))
      return done('email.confirmed')
    },
  }
}
