// Who may try a password: known devices and places by their own count, strangers by the account's and the address's, else by proof of work.
import type { Limits } from '#server/http/limits.ts'
import { limits as numbers } from '#server/http/limits.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { AppError } from '#shared/http/errors.ts'
import type { Proof } from '#shared/http/proof-of-work.ts'
import { authText } from '#shared/text/en/auth.ts'
import { knownDevice } from './device-cookie.ts'
import { sha256 } from './session-rules.ts'

interface SignInAttempt {
  /** Normalised. */
  readonly email: string
  /** Undefined where nobody has this email; the attempt then takes the same way. */
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
  /** Whether an account has signed in from an address lately. */
  readonly isKnownAddress: (userId: string, address: string) => Promise<boolean>
}

const nobody = '00000000-0000-0000-0000-000000000000'

export function signInGuard({ limits, proofs, deviceKey, now, isKnownAddress }: SignInGuardDeps) {
  /** What counts the tries of a device or address that the account's owner has used before. */
  async function knownBucket({ userId = nobody, address, device }: SignInAttempt, account: string): Promise<string | undefined> {
    const deviceId = knownDevice(deviceKey, device, { userId, nowMs: now() })
    if (deviceId !== undefined) return `${account}:${deviceId}`
    return (await isKnownAddress(userId, address)) ? `${account}:${address}` : undefined
  }

  /** Seconds to wait, and what to give back after a success. */
  async function countFree(attempt: SignInAttempt, account: string): Promise<{ wait: number | undefined; counted: string[] }> {
    const known = await knownBucket(attempt, account)
    if (known !== undefined) return { wait: await limits.hit(known, numbers.signInKnown), counted: [known] }
    // The address first: a blocked one adds no counter of an account.
    const address = `sign-in:${attempt.address}`
    const addressWait = await limits.hit(address, numbers.signInAddress)
    if (addressWait !== undefined) return { wait: addressWait, counted: [] }
    const accountWait = await limits.hit(account, numbers.signInAccount)
    if (accountWait !== undefined) await limits.giveBack(address)
    return { wait: accountWait, counted: [account, address] }
  }

  return {
    /**
     * Counts one try. Answers what takes the count back after a success.
     * @throws AppError too-many: with the seconds to wait, and with a challenge while a solved one would admit a try.
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
      throw new AppError('too-many', authText.tooManySignIns, {
        code: 'auth.too-many',
        retryAfterSeconds: wait,
        ...(canProve ? { challenge: await proofs.challengeFor(subject) } : {}),
      })
    },
  }
}

/** Emails go into the counters hashed: the table also sees those of strangers. */
function accountBucket(email: string): string {
  return `sign-in:${sha256(email).toString('base64url').slice(0, 22)}`
}
