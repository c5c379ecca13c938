// The budget of mails to addresses that are not confirmed: by the network that asks, and by recipient and reason.
import { networkOf, hitAll, rateLimits, type RateLimit, type RateLimiter } from '#server/http/rate-limiter.ts'
import { sha256 } from './hash-secret.ts'

/** Why a mail is sent: they do not use up each other's. A reset has its own limit by recipient, `linkAccount`. */
type MailReason = 'confirm' | 'claim' | 'reset'

/** Counts one mail. Undefined within the budget, else the seconds until it may be sent. */
export type MailBudget = (recipient: string, address: string, reason: MailReason) => Promise<number | undefined>

/** There is no budget by mail host: one attacker would use it up for all people of a large one. */
export function mailBudget(rateLimiter: RateLimiter): MailBudget {
  return (recipient, address, reason) => {
    const network = networkOf(address)
    const to = `${reason}:${sha256(recipient).toString('base64url').slice(0, 22)}`
    const all: readonly [string, RateLimit] = [`mail-to:${to}`, rateLimits.unprovenMailRecipient]
    const byReason = { confirm: [all], claim: [[`mail-to:${to}:${network}`, rateLimits.claimMailNetwork], all], reset: [] } as const
    // The network first: a blocked one uses up no recipient.
    return hitAll(rateLimiter, [[`mail-network:${network}`, rateLimits.unprovenMailNetwork], ...byReason[reason]])
  }
}
