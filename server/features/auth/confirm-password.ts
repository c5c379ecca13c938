// The first step of actions that require the user's password: checks it and sends the session's new cookie.
import type { FastifyReply } from 'fastify'
import type { SessionCookie } from '#server/http/session.ts'
import type { PasswordService } from './password-service.ts'
import type { CurrentSession } from '#server/http/request-actor.ts'

/** Checks the caller's password; returns its hash. @throws AppError invalid, too-many, unauthenticated */
export type ConfirmPassword = (
  incoming: { readonly session: CurrentSession; readonly reply: FastifyReply },
  form: { password: string },
) => Promise<{ readonly hash: string }>

/** Sends the new cookie even if the action is rejected afterwards, because the former one ends. */
export function passwordConfirmation(options: { passwords: Pick<PasswordService, 'confirm'>; cookie: SessionCookie }): ConfirmPassword {
  return async ({ session, reply }, form) => {
    const { hash, cookie } = await options.passwords.confirm(session, form)
    options.cookie.write(reply, cookie)
    return { hash }
  }
}
