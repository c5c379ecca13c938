// Validation rules of a request: the payment reference with its rail, and the months that an admin sets.
import { dayMs } from '#shared/base/durations.ts'
import { indiaDayStampMs } from '#shared/base/india-time.ts'
import { monthsMax, type PlanType } from '#shared/plans/plan.ts'
import type { subscriptionText } from '#shared/subscriptions/text/en.ts'
import type { CodeOf } from '#shared/messages/message.ts'

export type Rail = 'upi' | 'neft' | 'rtgs' | 'binance' | 'tron' | 'evm'

const referenceMax = 80

/** Without spaces, in upper case: the form in which a reference is unique. */
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

/** The rail of a normalised reference, or undefined if it matches none of the plan. A hash starting with 0x belongs to an EVM chain. */
export function railOf(type: PlanType, reference: string): Rail | undefined {
  const normalised = normaliseReference(reference)
  const rail = patterns[type].find(([, pattern]) => pattern.test(normalised))?.[0]
  return rail === 'tron' && /^\s*0x/i.test(reference) ? 'evm' : rail
}

/** The code of the message for an empty or invalid reference, in the order of the specification; undefined if it is valid. */
export function findReferenceIssue(type: PlanType, reference: string): CodeOf<'subscriptions', typeof subscriptionText> | undefined {
  if (reference.trim() === '') return type === 'crypto' ? 'subscriptions.fillOrderId' : 'subscriptions.fillUtr'
  if (reference.length <= referenceMax && railOf(type, reference) !== undefined) return undefined
  return type === 'crypto' ? 'subscriptions.orderIdInvalid' : 'subscriptions.utrInvalid'
}

/** How UPI reference numbers of this moment often start: the last digit of the year, and the day of the year. */
export function upiDayOf(atMs: number): string {
  const stampMs = indiaDayStampMs(atMs)
  const year = new Date(stampMs).getUTCFullYear()
  const day = (stampMs - Date.UTC(year, 0, 1)) / dayMs + 1
  return `${year % 10}${String(day).padStart(3, '0')}`
}

/** The code of the message for a number that is not above 0, or that is not a whole one up to the longest plan; NaN for other text. */
export function findMonthsIssue(months: number): 'subscriptions.monthsInvalid' | 'subscriptions.monthsWhole' | undefined {
  if (!Number.isFinite(months) || months <= 0) return 'subscriptions.monthsInvalid'
  return Number.isInteger(months) && months <= monthsMax ? undefined : 'subscriptions.monthsWhole'
}
