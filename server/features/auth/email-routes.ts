// Routes of account email addresses.
import { done } from '#shared/http/app-error.ts'
import type { Handlers } from '#server/http/serve.ts'
import { callerOf } from '#server/http/session.ts'
import type { emailRoutes } from '#shared/auth/email-contract.ts'
import type { AddressService } from './address-service.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import type { EmailService } from './email-service.ts'

export function emailHandlers(options: {
  emails: EmailService
  addresses: AddressService
  confirm: ConfirmPassword
}): Handlers<typeof emailRoutes> {
  const { emails, addresses, confirm } = options
  return {
    state: async ({ session }) => ({ success: true, data: await emails.state(session) }),
    sendAgain: async ({ session, request }) => {
      await emails.sendAgain(session, callerOf(request))
      return done('email.sent')
    },
    change: async (incoming) => {
      const { session, body, request } = incoming
      const { hash } = await confirm(incoming, body)
      await emails.change(session, body, hash, callerOf(request))
      return done('email.changeSent')
    },
    confirm: async ({ body, request }) => {
      await emails.confirm(body, callerOf(request))
      return done('email.confirmed')
    },
    free: async ({ session, body, request }) => {
      await addresses.free(session, body, callerOf(request))
      return done('admin.addressFreed')
    },
  }
}
