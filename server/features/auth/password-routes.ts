// Routes for a user's own password.
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { selfRoutes } from '#shared/users/contract.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { PasswordService } from './password-service.ts'

interface SelfHandlerOptions {
  readonly self: PasswordService
  readonly device: DeviceCookie
  readonly cookie: SessionCookie
  readonly confirm: ConfirmPassword
}

export function selfHandlers({ self, device, cookie, confirm }: SelfHandlerOptions): Handlers<typeof selfRoutes> {
  return {
    confirm: async (incoming) => {
      await confirm(incoming, incoming.body)
      return { success: true, message: adminText.confirmed }
    },
    changePassword: async ({ session, body, request, reply }) => {
      cookie.write(reply, await self.change(session, body, callerOf(request)))
      return { success: true, message: adminText.passwordUpdated }
    },
    askForLink: async ({ body, request }) => {
      await self.askForLink(body, callerOf(request))
      return { success: true, message: adminText.linkSent }
    },
    useLink: async ({ body, request, reply }) => {
      // The owner of the mailbox gets in while others guess the password.
      device.remember(request, reply, await self.useLink(body, callerOf(request)))
      return { success: true, message: adminText.passwordUpdated }
    },
  }
}
