// Contract to service for what people do about their own password.
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { selfRoutes } from '#shared/users/contract.ts'
import type { SelfService } from './self-service.ts'

export function selfHandlers(needs: { self: SelfService }): Handlers<typeof selfRoutes> {
  const { self } = needs
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
    useLink: async ({ body, request }) => {
      await self.useLink(body, callerOf(request))
      return { success: true, message: adminText.passwordUpdated }
    },
  }
}
