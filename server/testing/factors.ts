// A user with two-factor sign-in, and the codes of the app.
import { Secret, TOTP } from 'otpauth'
import type { Browser, TestApp } from './app.ts'

/** The code of an authenticator app with this secret at a moment. */
export function codeOf(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })
}

/** Sets up an app for the signed-in user; returns its secret and the recovery codes. */
export async function addTotp(server: TestApp, { client }: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await client.factors.startTotp()).data
  const { recoveryCodes } = (await client.factors.confirmTotp({ body: { code: codeOf(secret, server.clock.nowMs) } })).data
  return { secret, recoveryCodes }
}
