// The signed cookie of a device that an account has signed in on. It grants nothing, but exempts from guessing limits of strangers.
import '@fastify/cookie'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dayMs } from '#shared/base/durations.ts'

const deviceMs = 180 * dayMs
/** Users of one household share a browser; the oldest account is dropped. */
const accountsMax = 5

/** Id of this device in the entry of an account; undefined if missing, forged or expired. */
export function knownDevice(
  key: Buffer,
  cookie: string | undefined,
  { userId, nowMs }: { userId: string; nowMs: number },
): string | undefined {
  return entriesOf(cookie)
    .find((entry) => entry.userId === userId && isValid(key, entry, nowMs))
    ?.text.split('.')[1]
}

interface Entry {
  readonly text: string
  readonly userId: string
  readonly signature: string
  readonly signed: string
  readonly sinceMs: number
}

/** Cookie values are `user.device.time.signature`, joined by `~`. */
function entriesOf(cookie: string | undefined): Entry[] {
  return (cookie ?? '').split('~', accountsMax).flatMap((text) => {
    const [, signed = '', userId = '', seconds = '', signature = ''] =
      /^(([\w-]{36})\.[\w-]{22}\.(\d{1,12}))\.([\w-]{43})$/.exec(text) ?? []
    return userId === '' ? [] : [{ text, userId, signed, signature, sinceMs: Number(seconds) * 1000 }]
  })
}

function isValid(key: Buffer, entry: Entry, nowMs: number): boolean {
  if (nowMs - entry.sinceMs >= deviceMs) return false
  return timingSafeEqual(Buffer.from(signatureOf(key, entry.signed)), Buffer.from(entry.signature))
}

function signatureOf(key: Buffer, signed: string): string {
  return createHmac('sha256', key).update(signed).digest('base64url')
}

export type DeviceCookie = ReturnType<typeof deviceCookie>

/** Sent to the sign-in routes only; `__Secure-` because `__Host-` would send it everywhere. */
export function deviceCookie({ isHttps, key, now }: { isHttps: boolean; key: Buffer; now: () => number }) {
  const name = isHttps ? '__Secure-tezi_device' : 'tezi_device'
  const options = { path: '/api/v1/auth', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
  return {
    name,
    read: (request: FastifyRequest) => request.cookies[name],
    /** Adds or renews the entry of an account that has just signed in on this device. */
    remember(request: FastifyRequest, reply: FastifyReply, userId: string): void {
      const nowMs = now()
      const known = entriesOf(request.cookies[name]).filter((entry) => isValid(key, entry, nowMs))
      const device = knownDevice(key, request.cookies[name], { userId, nowMs }) ?? randomBytes(16).toString('base64url')
      const signed = `${userId}.${device}.${Math.floor(nowMs / 1000)}`
      const others = known.filter((entry) => entry.userId !== userId).map((entry) => entry.text)
      const value = [`${signed}.${signatureOf(key, signed)}`, ...others].slice(0, accountsMax).join('~')
      void reply.setCookie(name, value, { ...options, maxAge: deviceMs / 1000 })
    },
    clear: (reply: FastifyReply): void => void reply.clearCookie(name, options),
  }
}
