// The payment reference a user claims: normalised, recognised by its rail, explained where it is none.
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

export type PlanType = 'regular' | 'crypto'
export type Rail = 'upi' | 'neft' | 'rtgs' | 'binance' | 'tron' | 'evm'

const referenceMax = 80

/** Spaces out, upper case: the spelling under which a reference is claimed once, ever. */
export function normaliseReference(reference: string): string {
  const bare = reference.replace(/\s+/g, '').toUpperCase()
  return bare.startsWith('0X') ? bare.slice(2) : bare
}

const patterns: Readonly<Record<PlanType, readonly (readonly [Rail, RegExp])[]>> = {
  regular: [
    ['upi', /^\d{12}$/],
    ['rtgs', /^[A-Z]{4}R[A-Z0-9]\d{16}$/],
    ['neft', /^[A-Z]{4}[A-Z0-9]{12}$/],
  ],
  crypto: [
    ['binance', /^\d{18,19}$/],
    ['tron', /^[0-9A-F]{64}$/],
  ],
}

/** The rail of a normalised reference, or undefined where it fits none of the plan's. A hash with 0x in front is a chain's of that kind. */
export function railOf(type: PlanType, reference: string): Rail | undefined {
  const normalised = normaliseReference(reference)
  const rail = patterns[type].find(([, pattern]) => pattern.test(normalised))?.[0]
  return rail === 'tron' && /^\s*0x/i.test(reference) ? 'evm' : rail
}

/** The sentence for an empty or impossible reference, in the spec's order; undefined where it is fine. */
export function findReferenceFault(type: PlanType, reference: string): string | undefined {
  if (reference.trim() === '') return type === 'crypto' ? subscriptionText.fillOrderId : subscriptionText.fillUtr
  if (reference.length <= referenceMax && railOf(type, reference) !== undefined) return undefined
  return type === 'crypto' ? subscriptionText.orderIdInvalid : subscriptionText.utrInvalid
}
