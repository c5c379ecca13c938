// Limits password attempts: known devices and addresses by their own counter, strangers by account and address, else by proof of
// work; and the successes of an account.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { hitAll, rateLimits, type RateLimit, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Proof } from '#shared/http/proof.ts'
import { knownDevice } from './device-cookie.ts'
import { sha256 } from './hash-secret.ts'

interface SignInAttempt {
  /** Normalised. */
  readonly email: string
  /** Undefined for an unknown email; the attempt then takes the same code path. */
  readonly userId: string | undefined
  readonly address: string
  /** Value of the device cookie. */
  readonly device: string | undefined
  readonly proof: Proof | undefined
}

interface SignInGuardDeps {
  readonly rateLimiter: RateLimiter
  readonly proofs: ProofOfWork
  readonly deviceKey: Buffer
  readonly now: () => number
  /** Whether an account has recently signed in from an address. */
  readonly isKnownAddress: (userId: string, address: string) => Promise<boolean>
}

/** An admitted attempt; exactly one of the two is called, or neither after a wrong password. */
interface AdmittedAttempt {
  /** The password was correct: the attempt is not counted as a guess, but as a success. */
  succeeded(): Promise<void>
  /** The password was not checked: nothing was spent. */
  undo(): Promise<void>
}

const noUserId = '00000000-0000-0000-0000-000000000000'

export class SignInGuard {
  readonly #deps: SignInGuardDeps

  constructor(deps: SignInGuardDeps) {
    this.#deps = deps
  }

  /**
   * Counts one attempt.
   * @throws AppError too-many: with the seconds to wait, and with a challenge if a solved one would admit an attempt
   */
  async admit(attempt: SignInAttempt): Promise<AdmittedAttempt> {
    const { rateLimiter, proofs } = this.#deps
    const { email, address, proof } = attempt
    const subject = { action: 'sign-in', email, address } as const
    const known = await this.#knownSource(attempt)
    // By device or address, so that a stranger who has the password does not use up the owner's.
    const successes = `${guessBucket(email)}:right:${known ?? address}`
    const isProven = await proofs.redeem(proof, subject)
    const admitted = isProven ? await this.#admitProven(attempt, successes) : await this.#admitFree(attempt, known, successes)
    if (typeof admitted !== 'number') return admitted
    const counted = proofBuckets(email, address)
    const [ofAddress, ofAll] = await Promise.all([rateLimiter.read(counted.address), rateLimiter.read(counted.all)])
    const canProve = ofAddress.waitSeconds === undefined && ofAll.hits < rateLimits.signInProofAll.hitsMax
    throw new AppError('too-many', 'auth.tooManySignIns', {
      retryAfterSeconds: admitted,
      ...(canProve ? { challenge: await proofs.challengeFor(subject, { solvedByAll: ofAll.hits }) } : {}),
    })
  }

  /** The device or address, if the account's owner has used it before. */
  async #knownSource({ userId = noUserId, address, device }: SignInAttempt): Promise<string | undefined> {
    const { deviceKey, now, isKnownAddress } = this.#deps
    const deviceId = knownDevice(deviceKey, device, { userId, nowMs: now() })
    if (deviceId !== undefined) return deviceId
    return (await isKnownAddress(userId, address)) ? address : undefined
  }

  async #giveBackAll(buckets: readonly string[]): Promise<void> {
    await Promise.all(buckets.map((bucket) => this.#deps.rateLimiter.giveBack(bucket)))
  }

  /** Admits by a proof; the seconds to wait if that is limited as well. */
  async #admitProven({ email, address, proof }: SignInAttempt, successes: string): Promise<AdmittedAttempt | number> {
    const { rateLimiter, proofs } = this.#deps
    const counted = proofBuckets(email, address)
    const wait = await hitAll(rateLimiter, [
      [counted.all, rateLimits.signInProofAll],
      [counted.address, rateLimits.signInProof],
    ])
    if (wait !== undefined) return wait
    const giveBack = () => this.#giveBackAll([counted.all, counted.address])
    return {
      async succeeded() {
        // Too many successes cost the proofs as well.
        if ((await rateLimiter.hit(successes, rateLimits.signInSuccess)) === undefined) await giveBack()
        await proofs.refund(address)
      },
      undo: async () => void (await Promise.all([giveBack(), proofs.restore(proof, address)])),
    }
  }

  async #admitFree({ email, address }: SignInAttempt, known: string | undefined, successes: string): Promise<AdmittedAttempt | number> {
    const free = freeBuckets(guessBucket(email), address, known)
    const { rateLimiter } = this.#deps
    const wait = (await rateLimiter.read(successes)).waitSeconds ?? (await hitAll(rateLimiter, free))
    if (wait !== undefined) return wait
    const giveBack = () => this.#giveBackAll(free.map(([bucket]) => bucket))
    return {
      succeeded: async () => void (await Promise.all([giveBack(), rateLimiter.hit(successes, rateLimits.signInSuccess)])),
      undo: giveBack,
    }
  }
}

/** Counters of proven attempts at an account: from one address, and from all. */
function proofBuckets(email: string, address: string): { readonly address: string; readonly all: string } {
  const all = `${guessBucket(email)}:proof`
  return { address: `${all}:${address}`, all }
}

function freeBuckets(account: string, address: string, known: string | undefined): readonly (readonly [string, RateLimit])[] {
  if (known !== undefined) return [[`${account}:${known}`, rateLimits.signInKnown]]
  // The address first: a blocked one adds no account counter.
  return [
    [`sign-in:${address}`, rateLimits.signInAddress],
    [account, rateLimits.signInAccount],
  ]
}

/** Emails are hashed in counters, because the table also contains those of strangers. */
function guessBucket(email: string): string {
  return `sign-in:${sha256(email).toString('base64url').slice(0, 22)}`
}

export function secondFactorBucket(userId: string): string {
  return `second-factor:${userId}`
}

/**
 * Guesses at a former password do not block the owner's new one. Those at the second factor stay after a mailed link: otherwise
 * the mailbox alone would reset them.
 */
export async function clearGuessCounters(db: Db, userId: string, isByMail: boolean): Promise<void> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const buckets = [guessBucket(normaliseEmail(email)), `confirm:${userId}`, ...(isByMail ? [] : [secondFactorBucket(userId)])]
  await db
    .deleteFrom('rate_counters')
    .where((counters) =>
      counters.or(buckets.flatMap((bucket) => [counters('bucket', '=', bucket), sql<boolean>`starts_with(bucket, ${`${bucket}:`})`])),
    )
    .execute()
}
