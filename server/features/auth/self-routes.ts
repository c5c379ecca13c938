// Contract to service for what people do about their own password.
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { selfRoutes } from '#shared/users/contract.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { SelfService } from './self-service.ts'

export function selfHandlers(needs: { self: SelfService; device: DeviceCookie }): Handlers<typeof selfRoutes> {
  const { self, device } = needs
  return {
    confirm: async ({ session, body }) => {
      await self.confirm(session, body)
      return { success: true, message: adminText.confirmed }
    },
    changePassword: async ({ session, body, request }) => {
      await self.change(session, body, callerOf(request))
      return { success: true, message: adminText.passwordUpdated }
    },
    askForLink: async ({ body, request }) => {
      await self.askForLink(body, callerOf(request))
      return { success: true, message: adminText.linkSent }
    },
    useLink: async ({ body, request, reply }) => {
      // The owner of the mailbox gets in while others guess at the account.
      device.remember(request, reply, await self.useLink(body, callerOf(request)))
      return { success: true, message: adminText.passwordUpdated }
    },
  }
}
