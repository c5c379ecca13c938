// Password routes.
import { done } from '#shared/http/app-error.ts'
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import type { passwordRoutes } from '#shared/auth/password-contract.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { PasswordService } from './password-service.ts'

interface PasswordHandlerOptions {
  readonly passwords: PasswordService
  readonly device: DeviceCookie
  readonly cookie: SessionCookie
  readonly confirm: ConfirmPassword
}

export function passwordHandlers({ passwords, device, cookie, confirm }: PasswordHandlerOptions): Handlers<typeof passwordRoutes> {
  const reset = async ({
    session,
    body,
    request,
  }: Incoming<typeof passwordRoutes.resetPassword | typeof passwordRoutes.resetPasswordByAdmin>) => {
    await passwords.reset(session, body, callerOf(request))
    return done('admin.passwordUpdated')
  }
  return {
    confirm: async (incoming) => {
      await confirm(incoming, incoming.body)
      return done('admin.confirmed')
    },
    changePassword: async ({ session, body, request, reply }) => {
      cookie.write(reply, await passwords.change(session, body, callerOf(request)))
      return done('admin.passwordUpdated')
    },
    askForLink: async ({ body, request }) => {
      await passwords.links.ask(body, callerOf(request))
      return done('admin.linkSent')
    },
    useLink: async ({ body, request, reply }) => {
      // The owner of the mailbox gets in while others guess the password.
      device.remember(request, reply, await passwords.useLink(body, callerOf(request)))
      return done('admin.passwordUpdated')
    },
    resetPassword: reset,
    resetPasswordByAdmin: reset,
  }
}
