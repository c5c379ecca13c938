// The budget of mails to addresses that nobody has confirmed: by recipient and by the network that asks.
import { networkOf } from '#server/http/rate-limit-key.ts'
import { limits as numbers, type Limits } from '#server/http/rate-limiter.ts'
import { sha256 } from './session-rules.ts'

/** Counts one mail. Undefined within the budget, else the seconds until it may be sent. */
export type MailBudget = (recipient: string, address: string) => Promise<number | undefined>

/** There is no budget by mail host: one attacker would use it up for all people of a large one. */
export function mailBudget(limits: Limits): MailBudget {
  return async (recipient, address) => {
    const network = `mail-network:${networkOf(address)}`
    // The network first: a blocked one uses up no recipient.
    const wait = await limits.hit(network, numbers.unprovenMailNetwork)
    if (wait !== undefined) return wait
    const recipientWait = await limits.hit(`mail-to:${sha256(recipient).toString('base64url').slice(0, 22)}`, numbers.unprovenMailRecipient)
    if (recipientWait !== undefined) await limits.giveBack(network)
    return recipientWait
  }
}
