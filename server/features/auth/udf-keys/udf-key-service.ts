// The use cases of UDF keys: create, list, revoke, and the owner of a key with the rights of this moment.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { presentOwnUser } from '#server/features/users/present.ts'
import { tokenBucket, type TokenBucket } from '#server/http/token-bucket.ts'
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { mailTime } from '#server/mail/mail-time.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/errors.ts'
import { authText } from '#shared/text/en/auth.ts'
import { httpText } from '#shared/text/en/http.ts'
import { udfKeyMail, udfKeysText as text } from '#shared/text/en/udf-keys.ts'
import { udfKeysMax, type UdfKey } from '#shared/udf/key-contract.ts'
import type { User } from '#shared/users/user.ts'
import type { Caller, CurrentSession } from '../service.ts'
import { hashSecret, newSecret, sha256 } from '../session-rules.ts'
import { wantRecentPassword } from '../step-up.ts'
import { udfKeyRepository } from './udf-key-repository.ts'

/** Makes a key recognisable where it must not appear, such as in logs and public code. */
const udfKeyStart = 'tezi_udf_'
const prefixLength = udfKeyStart.length + 4
const usedEveryMs = minuteMs
/** A chart with its quotes asks about once a second; four charts load at once. */
const requestsAtOnce = 120
const requestsPerSecond = 4
const bucketsMax = 10_000

export interface UdfKeyDeps {
  readonly db: Db
  readonly now: () => number
  readonly monotonic: () => number
  readonly mails: BackgroundMails
  readonly brandName: string
  /** False where rate limits are off. */
  readonly hasRateLimits: boolean
  /** True where admins may not be without a second factor. */
  readonly needsAdminFactor: boolean
}

export type UdfKeyService = ReturnType<typeof udfKeyService>

export function udfKeyService({ db, now, monotonic, mails, brandName, hasRateLimits, needsAdminFactor }: UdfKeyDeps) {
  const repository = udfKeyRepository(db)
  const buckets = new Map<string, TokenBucket>()

  /** Counts a request of a key. @throws AppError too-many. */
  function count(keyId: string): void {
    if (!hasRateLimits) return
    const bucket = buckets.get(keyId) ?? tokenBucket({ size: requestsAtOnce, perSecond: requestsPerSecond, monotonic })
    // A whole budget is like that of a key that was never seen.
    if (buckets.size > bucketsMax) for (const [id, { isFull }] of buckets) if (isFull) buckets.delete(id)
    buckets.set(keyId, bucket)
    if (bucket.take(1)) return
    const retryAfterSeconds = Math.ceil(bucket.waitMs(1) / 1_000)
    throw new AppError('too-many', httpText.tooMany, { code: 'udf.too-many', retryAfterSeconds })
  }

  return {
    async list(current: CurrentSession): Promise<UdfKey[]> {
      return (await repository.keysOf(current.user._id)).map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      }))
    },

    /** Creates a key and answers it, once. @throws AppError forbidden (old password), conflict (5 of them). */
    async create(current: CurrentSession, form: { name: string }, caller: Caller): Promise<{ id: string; key: string }> {
      wantRecentPassword(current, now())
      const secret = newSecret()
      const key = udfKeyStart + secret
      const at = new Date(now())
      const { id, account } = await db.transaction().execute(async (transaction) => {
        const keys = udfKeyRepository(transaction)
        const owner = await keys.lockAccount(current.user._id)
        // A recovery of the account that this waited for has ended the session, and no key may outlive it.
        if (owner === undefined || !(await keys.isLive(current.id))) throw signedOut()
        if ((await keys.keysOf(owner.id)).length >= udfKeysMax) throw new AppError('conflict', text.full, { code: 'udf.keys-full' })
        const prefix = key.slice(0, prefixLength)
        const row = { user_id: owner.id, name: form.name, key_hash: sha256(secret), prefix, created_at: at }
        const inserted = await keys.insert(row)
        await log(transaction, 'udf-key-created', { current, caller, at, key: { name: form.name, prefix } })
        return { id: inserted.id, account: owner }
      })
      // Another address may be somebody else's.
      if (account.email_confirmed_at !== null) {
        const about = { brand: brandName, name: account.name, key: form.name, at: mailTime(now()), address: caller.address }
        const mail = udfKeyMail(about)
        mails.send({ to: account.email, subject: mail.subject, text: mail.text.join('\n\n') })
      }
      return { id, key }
    },

    /** @throws AppError not-found for any that is not the caller's. */
    async revoke(current: CurrentSession, id: string, caller: Caller): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const key = await udfKeyRepository(transaction).delete(current.user._id, id)
        if (key === undefined) throw new AppError('not-found', text.notFound)
        await log(transaction, 'udf-key-revoked', { current, caller, at: new Date(now()), key })
      })
      buckets.delete(id)
    },

    /** The owner of a key, as of now. @throws AppError unauthenticated (no such key), too-many. */
    async ownerOf(key: string): Promise<User> {
      const hash = hashOf(key)
      const row = hash === undefined ? undefined : await repository.findOwner(hash)
      if (row === undefined) throw rejected()
      count(row.key_id)
      const usedMs = row.last_used_at?.getTime() ?? 0
      if (now() - usedMs > usedEveryMs) await repository.markUsed(row.key_id, new Date(now()))
      return presentOwnUser(row, now(), needsAdminFactor)
    },
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

/** Undefined for anything that cannot be a key. */
function hashOf(key: string): Buffer | undefined {
  return key.startsWith(udfKeyStart) ? hashSecret(key.slice(udfKeyStart.length)) : undefined
}

function rejected(): AppError {
  return new AppError('unauthenticated', text.rejected, { code: 'udf.key-rejected' })
}

function signedOut(): AppError {
  return new AppError('unauthenticated', authText.sessionMissing, { code: 'auth.session-missing' })
}
