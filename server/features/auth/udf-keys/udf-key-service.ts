// Use cases of UDF keys: create, list, revoke, and authenticate with the owner's current rights.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { presentOwnUser } from '#server/features/users/user-presenter.ts'
import { tokenBucket, type TokenBucket } from '#server/http/token-bucket.ts'
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { mailTime } from '#server/mail/mail-time.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import { defaultLanguage, mailTexts } from '#server/mail/mail-texts.ts'
import { udfKeysMax, type UdfKey } from '#shared/udf/key-contract.ts'
import type { User } from '#shared/users/user.ts'
import type { Caller, CurrentSession } from '#server/http/request-actor.ts'
import { hashSecret, newSecret, sha256 } from '../session-rules.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import { udfKeyRepository } from './udf-key-repository.ts'

/** Makes a leaked key recognisable, such as in logs and public code. */
const udfKeyStart = 'tezi_udf_'
const prefixLength = udfKeyStart.length + 4
const usedEveryMs = minuteMs
/** A chart with its quotes sends about one request a second; four charts load at once. */
const requestsAtOnce = 120
const requestsPerSecond = 4
const bucketsMax = 10_000

export interface UdfKeyDeps {
  readonly db: Db
  readonly now: () => number
  readonly monotonic: () => number
  readonly mails: BackgroundMails
  readonly brandName: string
  /** False if rate limits are off. */
  readonly hasRateLimits: boolean
  /** True if admins must have a second factor. */
  readonly needsAdminFactor: boolean
}

export class UdfKeyService {
  readonly #options: UdfKeyDeps
  readonly #repository: ReturnType<typeof udfKeyRepository>
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(options: UdfKeyDeps) {
    this.#options = options
    this.#repository = udfKeyRepository(options.db)
  }

  async list(current: CurrentSession): Promise<UdfKey[]> {
    return (await this.#repository.keysOf(current.user._id)).map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    }))
  }

  /** Creates a key and returns it once. @throws AppError forbidden (old password check), conflict (5 of them) */
  async create(current: CurrentSession, form: { name: string }, caller: Caller): Promise<{ id: string; key: string }> {
    requireRecentPassword(current, this.#options.now())
    const secret = newSecret()
    const key = udfKeyStart + secret
    const at = new Date(this.#options.now())
    const { id, account } = await this.#options.db.transaction().execute(async (transaction) => {
      const keys = udfKeyRepository(transaction)
      const owner = await keys.lockAccount(current.user._id)
      // A concurrent account recovery has ended the session, and no key may survive it.
      if (owner === undefined || !(await keys.isLive(current.id))) throw signedOut()
      if ((await keys.keysOf(owner.id)).length >= udfKeysMax) throw new AppError('conflict', 'udfKeys.full')
      const prefix = key.slice(0, prefixLength)
      const row = { user_id: owner.id, name: form.name, key_hash: sha256(secret), prefix, created_at: at }
      const inserted = await keys.insert(row)
      await log(transaction, 'udf-key-created', { current, caller, at, key: { name: form.name, prefix } })
      return { id: inserted.id, account: owner }
    })
    // An unconfirmed address may belong to a stranger.
    if (account.email_confirmed_at !== null) {
      const about = {
        brand: this.#options.brandName,
        name: account.name,
        key: form.name,
        at: mailTime(this.#options.now()),
        address: caller.address,
      }
      const mail = mailTexts(defaultLanguage).udfKeyCreated(about)
      this.#options.mails.send({ to: account.email, subject: mail.subject, text: mail.text.join('\n\n') })
    }
    return { id, key }
  }

  /** @throws AppError not-found for a key of another user */
  async revoke(current: CurrentSession, id: string, caller: Caller): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      const key = await udfKeyRepository(transaction).delete(current.user._id, id)
      if (key === undefined) throw new AppError('not-found', 'udfKeys.notFound')
      await log(transaction, 'udf-key-revoked', { current, caller, at: new Date(this.#options.now()), key })
    })
    this.#buckets.delete(id)
  }

  /** The current owner of a key. @throws AppError unauthenticated (no such key), too-many */
  async ownerOf(key: string): Promise<User> {
    const hash = hashOf(key)
    const row = hash === undefined ? undefined : await this.#repository.findOwner(hash)
    if (row === undefined) throw rejected()
    this.#count(row.key_id)
    const usedMs = row.last_used_at?.getTime() ?? 0
    if (this.#options.now() - usedMs > usedEveryMs) await this.#repository.markUsed(row.key_id, new Date(this.#options.now()))
    return presentOwnUser(row, this.#options.now(), this.#options.needsAdminFactor)
  }

  /** Counts a request of a key. @throws AppError too-many */
  #count(keyId: string): void {
    if (!this.#options.hasRateLimits) return
    const bucket =
      this.#buckets.get(keyId) ?? tokenBucket({ size: requestsAtOnce, perSecond: requestsPerSecond, monotonic: this.#options.monotonic })
    // A full budget needs no entry.
    if (this.#buckets.size > bucketsMax) for (const [id, { isFull }] of this.#buckets) if (isFull) this.#buckets.delete(id)
    this.#buckets.set(keyId, bucket)
    if (bucket.take(1)) return
    const retryAfterSeconds = Math.ceil(bucket.waitMs(1) / 1_000)
    throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds })
  }
}

interface LogEntry {
  readonly current: CurrentSession
  readonly caller: Caller
  readonly at: Date
  readonly key: { readonly name: string; readonly prefix: string }
}

async function log(transaction: Db, action: 'udf-key-created' | 'udf-key-revoked', { current, caller, at, key }: LogEntry): Promise<void> {
  const { _id: id, email } = current.user
  const { name, prefix } = key
  const details = { name, prefix }
  await writeAudit(transaction, { at, actor: { id, email }, action, target: { id, name: email }, address: caller.address, details })
}

/** Undefined for a malformed key. */
function hashOf(key: string): Buffer | undefined {
  return key.startsWith(udfKeyStart) ? hashSecret(key.slice(udfKeyStart.length)) : undefined
}

function rejected(): AppError {
  return new AppError('unauthenticated', 'udfKeys.rejected')
}

function signedOut(): AppError {
  return new AppError('unauthenticated', 'auth.sessionMissing')
}
