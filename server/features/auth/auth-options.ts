// What accounts and sessions need from the process and from other services.
import type { Db } from '#server/db/database.ts'
import type { Presence } from '#server/features/users/presence.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import type { RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller } from '#server/http/session.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordLinks } from './password-links.ts'

export interface AccountMails {
  signedUp(account: { readonly id: string; readonly email: string }, caller: Caller): void
  signedIn(account: { readonly id: string }, caller: Caller, at: Date): void
}

export interface AuthOptions {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly hasher: PasswordHasher
  /** Signs the known-device cookie. */
  readonly deviceKey: Buffer
  readonly proofs: ProofOfWork
  readonly now: () => number
  /** True if admins must have a second factor. */
  readonly needsAdminFactor?: boolean
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
  /** Mails of new accounts and new devices; none are sent if undefined. */
  readonly emails?: AccountMails
  /** Mails a link to the owner of an unconfirmed account's address; false if there is none. Undefined if mail is disabled. */
  readonly claimAddress?: PasswordLinks['claim'] | undefined
}
