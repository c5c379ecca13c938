// Routes of accounts: sign-up, sign-in, sessions, passwords, roles, email addresses and second factors; cookies are handled here.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, callerOf, requireRecentPassword, type CurrentSession, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { emailRoutes } from '#shared/auth/email-contract.ts'
import type { passwordRoutes } from '#shared/auth/password-contract.ts'
import type { roleRoutes } from '#shared/auth/role-contract.ts'
import type { sessionRoutes } from '#shared/auth/session-contract.ts'
import type { factorRoutes } from '#shared/factors/contract.ts'
import { done } from '#shared/http/app-error.ts'
import type { AccountAdminService } from './account-admin-service.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { EmailService } from './email-service.ts'
import type { FactorService } from './factors/factor-service.ts'
import type { PasskeyService } from './factors/passkey-service.ts'
import type { SignInChallenge } from './factors/sign-in-challenge.ts'
import type { PasswordService } from './password-service.ts'
import type { AuthService, SignedIn } from './service.ts'

interface AccountRouteDeps {
  readonly auth: AuthService
  readonly passwords: PasswordService
  readonly emails: EmailService
  readonly accountAdmin: AccountAdminService
  readonly factors: FactorService
  readonly passkeys: PasskeyService
  readonly signInChallenge: SignInChallenge
  readonly cookie: SessionCookie
  readonly device: DeviceCookie
  readonly confirmPassword: ConfirmPassword
  readonly now: () => number
}

type ConfirmPassword = ReturnType<typeof passwordConfirmation>

/** The first step of actions that require the user's password. */
export function passwordConfirmation({ passwords, cookie }: Pick<AccountRouteDeps, 'passwords' | 'cookie'>) {
  /**
   * Checks the caller's password; returns its hash. Sends the new cookie even if the action is rejected afterwards, because
   * the former one ends. @throws AppError invalid, too-many, unauthenticated
   */
  return async (
    { session, reply }: { readonly session: CurrentSession; readonly reply: FastifyReply },
    form: { password: string },
  ): Promise<string> => {
    const confirmed = await passwords.confirm(session, form)
    cookie.write(reply, confirmed.cookie)
    return confirmed.hash
  }
}

export function authHandlers({ auth, signInChallenge, cookie, device }: AccountRouteDeps): Handlers<typeof authRoutes> {
  const cookiesOf = (request: FastifyRequest) => ({ session: cookie.read(request), device: device.read(request) })
  const welcome = (signedIn: SignedIn, request: FastifyRequest, reply: FastifyReply) => {
    cookie.write(reply, signedIn.cookie)
    device.remember(request, reply, signedIn.user._id)
    return { ...done('auth.signedIn'), data: { sessionToken: signedIn.sessionToken, user: signedIn.user } } as const
  }
  const signOut = async ({ session, reply }: Pick<Incoming<typeof authRoutes.signOut>, 'session' | 'reply'>) => {
    await auth.endSession(session, session.id, 'signed-out')
    cookie.clear(reply)
    return done('auth.signedOut')
  }
  return {
    signUp: async ({ body, request }) => {
      await auth.signUp(body, callerOf(request))
      return done('auth.signedUp')
    },
    signIn: async ({ body, request, reply }) => {
      const signedIn = await auth.signIn(body, callerOf(request), cookiesOf(request))
      if ('challenge' in signedIn) return { ...done('factors.enterCode'), success: false, data: signedIn }
      return welcome(signedIn, request, reply)
    },
    secondFactor: async ({ body, request, reply }) =>
      welcome(await signInChallenge.verify(body, callerOf(request), cookiesOf(request)), request, reply),
    signOut,
    signOutByGet: signOut,
  }
}

export function sessionHandlers({ auth, now }: AccountRouteDeps): Handlers<typeof sessionRoutes> {
  return {
    list: async ({ session }) => ({ success: true, data: await auth.sessionsOf(session) }),
    end: async ({ session, params }) => {
      requireRecentPassword(session, now())
      await auth.endSession(session, params.id, 'ended by its user')
      return done('auth.sessionEnded')
    },
  }
}

export function passwordHandlers({ passwords, device, cookie, confirmPassword }: AccountRouteDeps): Handlers<typeof passwordRoutes> {
  const reset = async (incoming: Incoming<typeof passwordRoutes.resetPassword | typeof passwordRoutes.resetPasswordByAdmin>) => {
    await passwords.reset(actorOf(incoming), incoming.body)
    return done('admin.passwordUpdated')
  }
  return {
    confirm: async (incoming) => {
      await confirmPassword(incoming, incoming.body)
      return done('admin.confirmed')
    },
    changePassword: async ({ session, body, request, reply }) => {
      cookie.write(reply, await passwords.change(session, body, callerOf(request)))
      return done('admin.passwordUpdated')
    },
    askForLink: async ({ body, request }) => {
      await passwords.requestLink(body, callerOf(request))
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

export function roleHandlers({ accountAdmin }: AccountRouteDeps): Handlers<typeof roleRoutes> {
  return {
    change: async (incoming) => {
      await accountAdmin.changeRole(actorOf(incoming), incoming.body)
      return done(incoming.body.role === 'admin' ? 'roles.promoted' : 'roles.demoted')
    },
  }
}

export function emailHandlers({ emails, accountAdmin, confirmPassword }: AccountRouteDeps): Handlers<typeof emailRoutes> {
  return {
    state: async ({ session }) => ({ success: true, data: await emails.state(session) }),
    sendAgain: async ({ session, request }) => {
      await emails.sendAgain(session, callerOf(request))
      return done('email.sent')
    },
    change: async (incoming) => {
      const { session, body, request } = incoming
      await emails.change(session, body, await confirmPassword(incoming, body), callerOf(request))
      return done('email.changeSent')
    },
    confirm: async ({ body, request }) => {
      await emails.confirm(body, callerOf(request))
      return done('email.confirmed')
    },
    free: async (incoming) => {
      await accountAdmin.freeAddress(actorOf(incoming), incoming.body)
      return done('admin.addressFreed')
    },
  }
}

export function factorHandlers(deps: AccountRouteDeps): Handlers<typeof factorRoutes> {
  const { factors, passkeys, signInChallenge, cookie, confirmPassword } = deps
  return {
    state: async ({ session }) => {
      const [state, keys] = await Promise.all([factors.stateOf(session), passkeys.list(session.user._id)])
      return { success: true, data: { ...state, passkeys: keys, hasPasskeys: passkeys.isOffered } }
    },
    passkeyOptions: async ({ body }) => ({ success: true, data: { options: await signInChallenge.passkeyOptions(body.challenge) } }),
    startPasskey: async ({ session }) => ({ success: true, data: { options: await passkeys.startAdding(session) } }),
    addPasskey: async ({ session, body, request, reply }) => {
      const { recoveryCodes, cookie: value } = await passkeys.add(session, body, callerOf(request))
      cookie.write(reply, value)
      return { ...done('factors.passkeyAdded'), data: { recoveryCodes } }
    },
    removePasskey: async (incoming) => {
      const { session, body, request } = incoming
      await confirmPassword(incoming, body)
      await passkeys.remove(session, body.id, callerOf(request))
      return done('factors.passkeyRemoved')
    },
    startTotp: async ({ session }) => ({ success: true, data: await factors.startTotp(session) }),
    confirmTotp: async ({ session, body, request, reply }) => {
      const { recoveryCodes, cookie: value } = await factors.confirmTotp(session, body, callerOf(request))
      cookie.write(reply, value)
      return { ...done('factors.added'), data: { recoveryCodes } }
    },
    removeTotp: async (incoming) => {
      const { session, body, request } = incoming
      await confirmPassword(incoming, body)
      await factors.removeTotp(session, callerOf(request))
      return done('factors.removed')
    },
    newRecoveryCodes: async ({ session, request }) => ({
      success: true,
      data: { recoveryCodes: await factors.newRecoveryCodes(session, callerOf(request)) },
    }),
    reset: async (incoming) => {
      await factors.reset(actorOf(incoming), incoming.body)
      return done('factors.wasReset')
    },
  }
}
