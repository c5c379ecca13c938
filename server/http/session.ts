// The session of a request, by the bound pair of cookie and Session-Token header, neither of which works alone; its caller and actor.
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { User } from '#shared/users/user.ts'
import { ipRateLimitKey } from './rate-limiter.ts'

/** The client of a call. */
export interface Caller {
  /** IP address, grouped as for rate limits. */
  readonly address: string
  readonly userAgent: string
}

export interface CurrentSession {
  readonly id: string
  /** When its password was last entered: at sign-in, or again since. */
  readonly confirmedAtMs: number
  readonly user: User
}

/** The signed-in user of a call, as services and the audit log need it. */
export interface RequestActor {
  readonly id: string
  readonly email: string
  /** IP address, grouped as for rate limits. */
  readonly address: string
  readonly sessionId: string
  readonly confirmedAtMs: number
}

export interface SessionCookie {
  readonly name: string
  /** Of a request, or of another object with parsed cookies. */
  read(request: { readonly cookies: Readonly<Record<string, string | undefined>> }): string | undefined
  write(reply: FastifyReply, value: string): void
  clear(reply: FastifyReply): void
}

const cookieMaxAgeMs = 30 * dayMs
/** Header that clears the candles in the browser's cache. */
export const clearCacheHeader = ['clear-site-data', '"cache"'] as const

/**
 * The session cookie. Behind https it is Secure and has the `__Host-` prefix, so that no sibling host can plant it;
 * on plain http (a local start) browsers would reject both.
 */
export function sessionCookie(isHttps: boolean): SessionCookie {
  const name = isHttps ? '__Host-tezi_session' : 'tezi_session'
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
  return {
    name,
    read: (request) => request.cookies[name],
    write: (reply, value) => void reply.setCookie(name, value, { ...options, maxAge: cookieMaxAgeMs / 1000 }),
    clear: (reply) => void reply.clearCookie(name, options).header(...clearCacheHeader),
  }
}

/** Finds sessions by a cookie; see the auth feature. */
export interface SessionSource {
  findCurrent(cookie: string | undefined, token: string | undefined, isUse: boolean): Promise<CurrentSession | undefined>
  isSurplus(cookie: string | undefined): Promise<boolean>
}

/**
 * The current session of a request, or undefined; `isUse` is false for background requests.
 * @throws AppError unauthenticated if it ended because its user opened too many: the device must show why
 */
export async function sessionOf(
  request: FastifyRequest,
  cookie: SessionCookie,
  sessions: SessionSource,
  isUse: boolean,
): Promise<CurrentSession | undefined> {
  const token = request.headers['session-token']
  const value = cookie.read(request)
  const session = await sessions.findCurrent(value, typeof token === 'string' ? token : undefined, isUse)
  if (session === undefined && (await sessions.isSurplus(value))) throw new AppError('unauthenticated', 'auth.sessionReplaced')
  return session
}

/** Address and browser of a request, truncated for storage. */
export function callerOf(request: FastifyRequest): Caller {
  return { address: ipRateLimitKey(request.ip), userAgent: cleanHeader(request.headers['user-agent']) }
}

/** The signed-in user of a request. */
export function actorOf({ session, request }: { readonly session: CurrentSession; readonly request: FastifyRequest }): RequestActor {
  const { id: sessionId, confirmedAtMs, user } = session
  return { id: user._id, email: user.email, address: callerOf(request).address, sessionId, confirmedAtMs }
}

function cleanHeader(value: string | undefined): string {
  return (value ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200)
}

const recentPasswordMs = 15 * minuteMs

/**
 * Sensitive actions need a recent password confirmation, because the device may be unattended.
 * @throws AppError forbidden with the code `admin.confirmPassword` if the last password check is older than 15 minutes
 */
export function requireRecentPassword(session: { readonly confirmedAtMs: number }, nowMs: number): void {
  if (nowMs - session.confirmedAtMs > recentPasswordMs) throw new AppError('forbidden', 'admin.confirmPassword')
}
