// Routes of sign-in, sign-up and sign-out; cookies are handled here.
import { done } from '#shared/http/app-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import type { authRoutes } from '#shared/auth/contract.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { SecondFactorService } from './factors/sign-in-challenge.ts'
import type { AuthService, SignedIn } from './service.ts'

interface AuthHandlerOptions {
  readonly auth: AuthService
  readonly secondFactor: SecondFactorService
  readonly cookie: SessionCookie
  readonly device: DeviceCookie
}

export function authHandlers({ auth, secondFactor, cookie, device }: AuthHandlerOptions): Handlers<typeof authRoutes> {
  const heldBy = (request: FastifyRequest) => ({ session: cookie.read(request), device: device.read(request) })
  const enter = (signedIn: SignedIn, request: FastifyRequest, reply: FastifyReply) => {
    cookie.write(reply, signedIn.cookie)
    device.remember(request, reply, signedIn.user._id)
    return { ...done('auth.signedIn'), data: { sessionToken: signedIn.sessionToken, user: signedIn.user } } as const
  }
  const signOut = async ({ session, reply }: Incoming<typeof authRoutes.signOutByGet>) => {
    await auth.endOwnSession(session, session.id, 'signed-out')
    cookie.clear(reply)
    return done('auth.signedOut')
  }
  return {
    signUp: async ({ body, request }) => {
      await auth.signUp(body, callerOf(request))
      return done('auth.signedUp')
    },
    signIn: async ({ body, request, reply }) => {
      const signedIn = await auth.signIn(body, callerOf(request), heldBy(request))
      if ('challenge' in signedIn) return { ...done('factors.enterCode'), success: false, data: signedIn }
      return enter(signedIn, request, reply)
    },
    secondFactor: async ({ body, request, reply }) =>
      enter(await secondFactor.answer(body, callerOf(request), heldBy(request)), request, reply),
    signOut: ({ session, reply, request }) => signOut({ session, reply, request, params: undefined, query: undefined, body: undefined }),
    signOutByGet: signOut,
  }
}
