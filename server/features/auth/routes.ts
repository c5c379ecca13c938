// Contract to service for sign-in, sign-up and sign-out; the cookie is the only thing done here.
import { callerOf, type SessionCookie } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import type { authRoutes } from '#shared/auth/contract.ts'
import { authText } from '#shared/text/en/auth.ts'
import type { AuthService } from './service.ts'

export function authHandlers(needs: { auth: AuthService; cookie: SessionCookie }): Handlers<typeof authRoutes> {
  const { auth, cookie } = needs
  const signOut = async ({ session, reply }: Incoming<typeof authRoutes.signOutByGet>) => {
    await auth.endOwnSession(session, session.id, 'signed-out')
    cookie.clear(reply)
    return { success: true, message: authText.signedOut } as const
  }
  return {
    signUp: async ({ body, request }) => {
      await auth.signUp(body, callerOf(request))
      return { success: true, message: authText.signedUp }
    },
    signIn: async ({ body, request, reply }) => {
      const signedIn = await auth.signIn(body, callerOf(request), cookie.read(request))
      cookie.write(reply, signedIn.cookie)
      return { success: true, message: authText.signedIn, data: { sessionToken: signedIn.sessionToken, user: signedIn.user } }
    },
    signOut: ({ session, reply, request }) => signOut({ session, reply, request, params: undefined, query: undefined, body: undefined }),
    signOutByGet: signOut,
  }
}
