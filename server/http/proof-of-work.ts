// Proof-of-work challenges that admit one attempt when free attempts are used up: signed, so nothing is stored until one is solved.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { minuteMs } from '#shared/base/durations.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import { verifyProof, type Challenge, type Proof } from '#shared/http/proof.ts'
import type { RateLimit, RateLimiter } from './rate-limiter.ts'

/** About 330,000 hashes: two seconds on a mid-range phone, half a second on a laptop. */
const rounds = 10
const bitsDefault = 15
/** The difficulty doubles after this number of solved challenges without a success, at most twice. */
const solvedPerBit = 20
const moreBitsMax = 2
/** Of a flood of all addresses together: sixteen times the price. */
const surgeBitsMax = 4
const surgeWaitSeconds = 60
const validMs = 5 * minuteMs
const solvedLimit: RateLimit = { hitsMax: Number.MAX_SAFE_INTEGER, windowMs: 15 * minuteMs }

/** Scope of a challenge: one kind of call, for one account, from one address. */
interface ProofSubject {
  readonly action: 'sign-in' | 'sign-up' | 'password-link'
  readonly email: string
  readonly address: string
}

interface ProofOfWorkDeps {
  readonly rateLimiter: RateLimiter
  readonly key: Buffer
  readonly now: () => number
  /** Zero bits of the easiest challenge; lower than the default for tests only. */
  readonly bits?: number | undefined
}

export type ProofOfWork = ReturnType<typeof proofOfWork>

const payloadSchema = z.object({ seed: z.string(), bits: z.int(), until: z.int(), subject: z.string() })

export function proofOfWork({ rateLimiter, key, now, bits = bitsDefault }: ProofOfWorkDeps) {
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest()

  const self = {
    /** Harder the more challenges the address, or all addresses for this account, solved without a success. */
    async challengeFor(subject: ProofSubject, { solvedByAll = 0, surgeBits = 0 } = {}): Promise<Challenge> {
      const { hits } = await rateLimiter.read(solvedBucket(subject.address))
      const seed = randomBytes(16).toString('hex')
      const harder = bits + surgeBits + Math.min(moreBitsMax, Math.floor(Math.max(hits, solvedByAll) / solvedPerBit))
      const payload = Buffer.from(
        JSON.stringify({ seed, bits: harder, until: now() + validMs, subject: subjectHash(subject) } satisfies z.output<
          typeof payloadSchema
        >),
      ).toString('base64url')
      return { token: `${payload}.${sign(payload).toString('base64url')}`, seed, rounds, bits: harder }
    },

    /** True once for each solved challenge of this subject. */
    async redeem(proof: Proof | undefined, subject: ProofSubject): Promise<boolean> {
      const payload = proof === undefined ? undefined : readToken(proof.token, sign)
      if (proof === undefined || payload === undefined || payload.until <= now() || payload.subject !== subjectHash(subject)) return false
      if (!verifyProof({ ...payload, rounds }, proof.nonces, sha256)) return false
      if ((await rateLimiter.hit(spentBucket(payload.seed), { hitsMax: 1, windowMs: validMs })) !== undefined) return false
      await rateLimiter.hit(solvedBucket(subject.address), solvedLimit)
      return true
    },

    /** Makes a redeemed challenge valid again: what it admitted was not done. */
    async restore(proof: Proof | undefined, address: string): Promise<void> {
      const payload = proof === undefined ? undefined : readToken(proof.token, sign)
      if (payload !== undefined) await Promise.all([rateLimiter.giveBack(spentBucket(payload.seed)), self.refund(address)])
    },

    /** A successful attempt does not make the next challenge harder. */
    refund: (address: string): Promise<void> => rateLimiter.giveBack(solvedBucket(address)),

    /**
     * Counts one call of an address; beyond its limit, and beyond the limit of all addresses, a solved challenge admits it.
     * It gets harder the more calls of all addresses are above their limit, and no caller is rejected. Returns what takes it back: for a
     * call that the server could not finish.
     * @throws AppError too-many with a challenge
     */
    async admit(
      subject: ProofSubject,
      {
        limit,
        all,
        proof,
        message,
      }: { readonly limit: RateLimit; readonly all?: RateLimit; readonly proof: Proof | undefined; readonly message: MessageOf },
    ): Promise<() => Promise<void>> {
      const total = `${subject.action}:all`
      const surge = all === undefined ? 0 : (await rateLimiter.read(total)).hits / all.hitsMax
      const isProven = await self.redeem(proof, subject)
      const wait = isProven
        ? undefined
        : surge >= 1
          ? surgeWaitSeconds
          : await rateLimiter.hit(`${subject.action}:${subject.address}`, limit)
      if (wait !== undefined) {
        const surgeBits = surge < 1 ? 0 : Math.min(surgeBitsMax, 1 + Math.floor(Math.log2(surge)))
        throw new AppError('too-many', message, { retryAfterSeconds: wait, challenge: await self.challengeFor(subject, { surgeBits }) })
      }
      if (all !== undefined) await rateLimiter.hit(total, all)
      const counted = [...(isProven ? [] : [`${subject.action}:${subject.address}`]), ...(all === undefined ? [] : [total])]
      return async () => {
        await Promise.all(counted.map((bucket) => rateLimiter.giveBack(bucket)))
        if (isProven) await self.restore(proof, subject.address)
      }
    },
  }
  return self
}

function readToken(token: string, sign: (payload: string) => Buffer): z.output<typeof payloadSchema> | undefined {
  const [payload = '', signature = ''] = token.split('.')
  const received = Buffer.from(signature, 'base64url')
  const expected = sign(payload)
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
  return payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

function subjectHash({ action, email, address }: ProofSubject): string {
  return createHash('sha256').update(`${action}\n${email}\n${address}`).digest('base64url').slice(0, 22)
}

function spentBucket(seed: string): string {
  return `proof:${seed}`
}

function solvedBucket(address: string): string {
  return `solved:${address}`
}
