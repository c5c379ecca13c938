// Passkeys as a second factor: add, remove, and verify at sign-in.
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import { minuteMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/app-error.ts'
import { rejectField } from '../rules.ts'
import { requireRecentPassword, type Caller, type CurrentSession } from '#server/http/session.ts'
import type { AddedFactor, FactorService } from './factor-service.ts'
import type { FactorName } from './verify-code.ts'

const registrationMs = 5 * minuteMs
const passkeysMax = 10

// Lazy: with its parsers it is larger than most of the server, and most starts never need it.
const loadWebAuthn = () => import('@simplewebauthn/server')

interface PasskeyDeps {
  readonly db: Db
  readonly now: () => number
  readonly factors: Pick<FactorService, 'add' | 'remove'>
  readonly brandName: string
  /** Public origin of the site; passkeys are bound to its host. Undefined disables them. */
  readonly origin: string | undefined
}

export class PasskeyService {
  readonly #deps: PasskeyDeps

  constructor(deps: PasskeyDeps) {
    this.#deps = deps
  }

  /** Options for the browser to create a passkey. @throws AppError forbidden (old password check), conflict (10 of them), unavailable */
  async startAdding(current: CurrentSession): Promise<unknown> {
    requireRecentPassword(current, this.#deps.now())
    const { rpID } = this.#site()
    const known = await this.#descriptors(current.user._id)
    if (known.length >= passkeysMax) throw new AppError('conflict', 'factors.passkeysFull')
    const { generateRegistrationOptions } = await loadWebAuthn()
    const options = await generateRegistrationOptions({
      rpName: this.#deps.brandName,
      rpID,
      userName: current.user.email,
      userDisplayName: current.user.name,
      userID: new TextEncoder().encode(current.user._id),
      excludeCredentials: known,
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    })
    const row = { user_id: current.user._id, challenge: options.challenge, expires_at: new Date(this.#deps.now() + registrationMs) }
    await this.#deps.db
      .insertInto('passkey_registrations')
      .values({ session_id: current.id, ...row })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
      .execute()
    return options
  }

  /** Stores the new passkey. @throws AppError invalid, conflict (10 of them), unavailable */
  async add(current: CurrentSession, form: { name: string; response: unknown }, caller: Caller): Promise<AddedFactor> {
    const { origin: expectedOrigin, rpID } = this.#site()
    const begun = await this.#deps.db
      .deleteFrom('passkey_registrations')
      .where('session_id', '=', current.id)
      .returningAll()
      .executeTakeFirst()
    if (begun === undefined || begun.expires_at.getTime() <= this.#deps.now()) return rejectField('response', 'factors.setupEnded')
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: form.response as RegistrationResponseJSON,
      expectedChallenge: begun.challenge,
      expectedOrigin,
      expectedRPID: rpID,
      requireUserVerification: false,
    }).catch(() => rejectField('response', 'factors.passkeyRejected'))
    if (!verified || registrationInfo === undefined) return rejectField('response', 'factors.passkeyRejected')
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return this.#deps.factors.add(current, caller, 'passkey', async ({ transaction, factors, account, at }) => {
      // Setups that started before the limit was reached.
      if ((await factors.countPasskeys(account.id)) >= passkeysMax) throw new AppError('conflict', 'factors.passkeysFull')
      const inserted = await transaction
        .insertInto('passkeys')
        .values({ id, user_id: account.id, name: form.name, public_key: Buffer.from(publicKey), counter, transports, created_at: at })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted === undefined) rejectField('response', 'factors.passkeyRejected')
    })
  }

  /** Removes one; the password was checked. @throws AppError not-found, conflict (an admin's last required factor) */
  async remove(current: CurrentSession, id: string, caller: Caller): Promise<void> {
    await this.#deps.factors.remove(current, caller, 'passkey', async ({ transaction, account }) => {
      const rows = await transaction.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', account.id).returning('id').execute()
      return rows.length > 0
    })
  }

  /** Options for the browser to sign in, including the challenge; undefined for an account without passkeys. */
  async startSignIn(userId: string): Promise<{ readonly challenge: string } | undefined> {
    const known = this.#deps.origin === undefined ? [] : await this.#descriptors(userId)
    if (known.length === 0) return undefined
    const { generateAuthenticationOptions } = await loadWebAuthn()
    return generateAuthenticationOptions({ rpID: this.#site().rpID, allowCredentials: known, userVerification: 'preferred' })
  }

  /** Whether the response is signed by a passkey of the account; updates its counter. */
  async verify(
    transaction: Db,
    userId: string,
    expectedChallenge: string,
    response: { id: string },
    at: Date,
  ): Promise<FactorName | undefined> {
    const { origin: expectedOrigin, rpID } = this.#site()
    const key = await transaction
      .selectFrom('passkeys')
      .selectAll()
      .where('id', '=', response.id)
      .where('user_id', '=', userId)
      // Of two concurrent responses the second one sees the counter of the first.
      .forUpdate()
      .executeTakeFirst()
    if (key === undefined) return undefined
    const { verifyAuthenticationResponse } = await loadWebAuthn()
    const verified = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin,
      expectedRPID: rpID,
      credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: Number(key.counter) },
      requireUserVerification: false,
    }).catch(() => undefined)
    if (verified?.verified !== true) return undefined
    await transaction
      .updateTable('passkeys')
      .set({ counter: verified.authenticationInfo.newCounter, last_used_at: at })
      .where('id', '=', key.id)
      .execute()
    return 'passkey'
  }

  /** The passkeys of an account, oldest first. */
  async list(userId: string): Promise<{ id: string; name: string; createdAt: string; lastUsedAt: string | null }[]> {
    return (await this.#keysOf(userId)).map((key) => ({
      id: key.id,
      name: key.name,
      createdAt: key.created_at.toISOString(),
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    }))
  }

  get isOffered(): boolean {
    return this.#deps.origin !== undefined
  }

  #site(): { origin: string; rpID: string } {
    if (this.#deps.origin === undefined) throw new AppError('unavailable', 'factors.passkeysOff')
    return { origin: this.#deps.origin, rpID: new URL(this.#deps.origin).hostname }
  }

  #keysOf(userId: string) {
    return this.#deps.db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  }

  async #descriptors(userId: string) {
    return (await this.#keysOf(userId)).map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] }))
  }
}
