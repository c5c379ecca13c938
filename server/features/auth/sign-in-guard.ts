// Limits password attempts: known devices and places by their own counter, strangers by account and address, else by proof of work.
import type { Limits } from '#server/http/rate-limiter.ts'
import { limits as numbers } from '#server/http/rate-limiter.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Proof } from '#shared/http/proof-of-work.ts'
import { knownDevice } from './device-cookie.ts'
import { sha256 } from './session-rules.ts'

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
  readonly limits: Limits
  readonly proofs: ProofOfWork
  readonly deviceKey: Buffer
  readonly now: () => number
  /** Whether an account has recently signed in from an address. */
  readonly isKnownAddress: (userId: string, address: string) => Promise<boolean>
}

const noUserId = '00000000-0000-0000-0000-000000000000'

export function signInGuard({ limits, proofs, deviceKey, now, isKnownAddress }: SignInGuardDeps) {
  /** The counter of a device or address that the account's owner has used before. */
  async function knownBucket({ userId = noUserId, address, device }: SignInAttempt, account: string): Promise<string | undefined> {
    const deviceId = knownDevice(deviceKey, device, { userId, nowMs: now() })
    if (deviceId !== undefined) return `${account}:${deviceId}`
    return (await isKnownAddress(userId, address)) ? `${account}:${address}` : undefined
  }

  /** Seconds to wait, and what to give back after a success. */
  async function countFree(attempt: SignInAttempt, account: string): Promise<{ wait: number | undefined; counted: string[] }> {
    const known = await knownBucket(attempt, account)
    if (known !== undefined) return { wait: await limits.hit(known, numbers.signInKnown), counted: [known] }
    // The address first: a blocked one adds no account counter.
    const address = `sign-in:${attempt.address}`
    const addressWait = await limits.hit(address, numbers.signInAddress)
    if (addressWait !== undefined) return { wait: addressWait, counted: [] }
    const accountWait = await limits.hit(account, numbers.signInAccount)
    if (accountWait !== undefined) await limits.giveBack(address)
    return { wait: accountWait, counted: [account, address] }
  }

  return {
    /**
     * Counts one attempt. Returns a function that takes the count back after a success.
     * @throws AppError too-many: with the seconds to wait, and with a challenge if a solved one would admit an attempt
     */
    async admit(attempt: SignInAttempt): Promise<() => Promise<void>> {
      const { email, address, proof } = attempt
      const account = accountBucket(email)
      const proven = `${account}:proof`
      const subject = { action: 'sign-in', email, address } as const
      let wait: number | undefined
      if (await proofs.redeem(proof, subject)) {
        wait = await limits.hit(proven, numbers.signInProof)
        if (wait === undefined) return async () => void (await Promise.all([limits.giveBack(proven), proofs.refund(address)]))
      } else {
        const free = await countFree(attempt, account)
        wait = free.wait
        if (wait === undefined) return async () => void (await Promise.all(free.counted.map((bucket) => limits.giveBack(bucket))))
      }
      const canProve = (await limits.read(proven)).waitSeconds === undefined
      throw new AppError('too-many', 'auth.tooManySignIns', {
        retryAfterSeconds: wait,
        ...(canProve ? { challenge: await proofs.challengeFor(subject) } : {}),
      })
    },
  }
}

/** Emails are hashed in counters, because the table also contains those of strangers. */
function accountBucket(email: string): string {
  return `sign-in:${sha256(email).toString('base64url').slice(0, 22)}`
}
