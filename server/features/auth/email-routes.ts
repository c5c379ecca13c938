// Contract to service for the email address of an account.
import type { Handlers } from '#server/http/serve.ts'
import { callerOf } from '#server/http/session.ts'
import type { emailRoutes } from '#shared/auth/email-contract.ts'
import { emailText } from '#shared/text/en/email.ts'
import type { EmailService } from './email-service.ts'
import type { SelfService } from './self-service.ts'

export function emailHandlers(services: { emails: EmailService; self: SelfService }): Handlers<typeof emailRoutes> {
  const { emails, self } = services
  return {
    state: async ({ session }) => ({ success: true, data: await emails.state(session) }),
    sendAgain: async ({ session }) => {
      await emails.sendAgain(session)
      return { success: true, message: emailText.sent }
    },
    change: async ({ session, body }) => {
      const { hash } = await self.confirm(session, body)
      await emails.change(session, body, hash)
      return { success: true, message: emailText.changeSent }
    },
    confirm: async ({ body, request }) => {
      await emails.confirm(body, callerOf(request))
      return { success: true, message: emailText.confirmed }
    },
  }
}
