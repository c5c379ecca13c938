// Passkeys as a second factor: add, remove, and answer the challenge of a sign-in.
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import { minuteMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/errors.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { refuseField } from '../password-rules.ts'
import type { Caller, CurrentSession } from '../service.ts'
import { wantRecentPassword } from '../step-up.ts'
import type { OwnFactors } from './factor-service.ts'
import type { FactorName } from './verify-code.ts'

const registrationMs = 5 * minuteMs
const passkeysMax = 10

// With its parsers it is larger than most of the server, and most starts never need it.
const loadWebAuthn = () => import('@simplewebauthn/server')

export interface PasskeyDeps {
  readonly db: Db
  readonly now: () => number
  readonly own: OwnFactors
  readonly brandName: string
  /** Where browsers reach the site; passkeys are bound to its host. Undefined: there are none. */
  readonly origin: string | undefined
}

export type PasskeyService = ReturnType<typeof passkeyService>

export function passkeyService({ db, now, own, brandName, origin }: PasskeyDeps) {
  function site(): { origin: string; rpID: string } {
    if (origin === undefined) throw new AppError('unavailable', text.passkeysOff, { code: 'auth.passkeys-off' })
    return { origin, rpID: new URL(origin).hostname }
  }
  const keysOf = (userId: string) => db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  const descriptors = async (userId: string) =>
    (await keysOf(userId)).map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] }))

  return {
    /** What the browser needs to make a passkey. @throws AppError forbidden (old password), conflict (10 of them), unavailable. */
    async startAdding(current: CurrentSession): Promise<unknown> {
      wantRecentPassword(current, now())
      const { rpID } = site()
      const known = await descriptors(current.user._id)
      if (known.length >= passkeysMax) throw new AppError('conflict', text.passkeysFull)
      const { generateRegistrationOptions } = await loadWebAuthn()
      const options = await generateRegistrationOptions({
        rpName: brandName,
        rpID,
        userName: current.user.email,
        userDisplayName: current.user.name,
        userID: new TextEncoder().encode(current.user._id),
        excludeCredentials: known,
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      })
      const row = { user_id: current.user._id, challenge: options.challenge, expires_at: new Date(now() + registrationMs) }
      await db
        .insertInto('passkey_registrations')
        .values({ session_id: current.id, ...row })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
        .execute()
      return options
    },

    /** Stores the passkey that the browser made; answers recovery codes where there are none. @throws AppError invalid, conflict (10 of them), unavailable. */
    async add(current: CurrentSession, form: { name: string; response: unknown }, caller: Caller): Promise<string[]> {
      const { origin: expectedOrigin, rpID } = site()
      const begun = await db.deleteFrom('passkey_registrations').where('session_id', '=', current.id).returningAll().executeTakeFirst()
      if (begun === undefined || begun.expires_at.getTime() <= now()) return refuseField('response', text.setupEnded, 'auth.setup-ended')
      const { verifyRegistrationResponse } = await loadWebAuthn()
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: form.response as RegistrationResponseJSON,
        expectedChallenge: begun.challenge,
        expectedOrigin,
        expectedRPID: rpID,
        requireUserVerification: false,
      }).catch(() => refuseField('response', text.passkeyRejected, 'auth.passkey-rejected'))
      if (!verified || registrationInfo === undefined) return refuseField('response', text.passkeyRejected, 'auth.passkey-rejected')
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return own.add(current, caller, 'passkey', async ({ transaction, factors, account, at }) => {
        // Of setups that were begun before the last place was taken.
        if ((await factors.countPasskeys(account.id)) >= passkeysMax) throw new AppError('conflict', text.passkeysFull)
        const inserted = await transaction
          .insertInto('passkeys')
          .values({ id, user_id: account.id, name: form.name, public_key: Buffer.from(publicKey), counter, transports, created_at: at })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted === undefined) refuseField('response', text.passkeyRejected, 'auth.passkey-rejected')
      })
    },

    /** Removes one; the password was checked. @throws AppError not-found, conflict (an admin's last factor where one is required). */
    async remove(current: CurrentSession, id: string, caller: Caller): Promise<void> {
      await own.remove(current, caller, 'passkey', async ({ transaction, account }) => {
        const rows = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', account.id)
          .returning('id')
          .execute()
        return rows.length > 0
      })
    },

    /** What the browser needs to answer a sign-in, with what has to be signed; undefined for an account without passkeys. */
    async startSignIn(userId: string): Promise<{ readonly challenge: string } | undefined> {
      const known = origin === undefined ? [] : await descriptors(userId)
      if (known.length === 0) return undefined
      const { generateAuthenticationOptions } = await loadWebAuthn()
      return generateAuthenticationOptions({ rpID: site().rpID, allowCredentials: known, userVerification: 'preferred' })
    },

    /** Whether the answer is signed by a passkey of the account; its counter goes on. */
    async take(
      transaction: Db,
      userId: string,
      expectedChallenge: string,
      response: { id: string },
      at: Date,
    ): Promise<FactorName | undefined> {
      const { origin: expectedOrigin, rpID } = site()
      const key = await transaction
        .selectFrom('passkeys')
        .selectAll()
        .where('id', '=', response.id)
        .where('user_id', '=', userId)
        // Of two answers at once the second one sees the counter of the first.
        .forUpdate()
        .executeTakeFirst()
      if (key === undefined) return undefined
      const { verifyAuthenticationResponse } = await loadWebAuthn()
      const answer = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin,
        expectedRPID: rpID,
        credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: Number(key.counter) },
        requireUserVerification: false,
      }).catch(() => undefined)
      if (answer?.verified !== true) return undefined
      await transaction
        .updateTable('passkeys')
        .set({ counter: answer.authenticationInfo.newCounter, last_used_at: at })
        .where('id', '=', key.id)
        .execute()
      return 'passkey'
    },

    /** The passkeys of an account, oldest first. */
    async list(userId: string): Promise<{ id: string; name: string; createdAt: string; lastUsedAt: string | null }[]> {
      return (await keysOf(userId)).map((key) => ({
        id: key.id,
        name: key.name,
        createdAt: key.created_at.toISOString(),
        lastUsedAt: key.last_used_at?.toISOString() ?? null,
      }))
    },

    isOffered: origin !== undefined,
  }
}
