// Rules of the purchase form: errors in the order of the specification, price, and request body.
import { currencyOf, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { findReferenceIssue } from '#shared/subscriptions/rules.ts'
import { purchaseText } from '#shared/subscriptions/text/en-purchase.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { formatMessage } from '#shared/text/texts.ts'
import type { User } from '#shared/users/user.ts'
import { formatMoney } from '#shared/base/format-money.ts'
import { readPayee } from '#web/lib/read-payee.ts'

export type PurchaseField = 'type' | 'utrNo'

export interface PurchaseIssue {
  readonly field: PurchaseField
  readonly message: string
}

/** First error: no plan chosen, then a reference that is empty or invalid for the plan; undefined if all is valid. */
export function findPurchaseIssue(type: PlanType | undefined, reference: string): PurchaseIssue | undefined {
  if (type === undefined) return { field: 'type', message: subscriptionText.selectOption }
  const code = findReferenceIssue(type, reference)
  return code === undefined ? undefined : { field: 'utrNo', message: formatMessage(subscriptionText, { code }) }
}

/** Request body; price and months tell the server which version of the plan the user saw. */
export function claimBody(plan: Plan, reference: string): { utrNo: string; Months: number; price: number; type: PlanType } {
  return { utrNo: reference.trim(), Months: plan.month, price: plan.price, type: plan.type }
}

/** ₹1,00,000 or $49.50: decimals only where there are some. */
export function priceLabel({ type, price }: Pick<Plan, 'type' | 'price'>): string {
  return formatMoney(price, currencyOf[type])
}

/** Amount in the format of payment apps, for example 100000 or 49.50. */
export function bareAmount(price: number): string {
  return Number.isInteger(price) ? String(price) : price.toFixed(2)
}

/** Label and helper text of the reference field. */
export function referenceTexts(type: PlanType | undefined): { label: string; hint: string } {
  if (type === undefined) return { label: purchaseText.anyReference, hint: `${subscriptionText.utrHelp}. ${subscriptionText.orderIdHelp}.` }
  if (type === 'crypto') return { label: purchaseText.orderId, hint: subscriptionText.orderIdHelp }
  return { label: purchaseText.utr, hint: subscriptionText.utrHelp }
}

/** Plans in the order of the cards; a single plan is preselected. */
export function arrangePlans(plans: readonly Plan[]): { cards: readonly Plan[]; only: PlanType | undefined } {
  const cards = plans.toSorted((a, b) => Number(a.type === 'crypto') - Number(b.type === 'crypto'))
  return { cards, only: cards.length === 1 ? cards[0]?.type : undefined }
}

/** Plan of the user's last request, which a renewal begins with. */
export function lastPlanOf({ paymentType }: Pick<User, 'paymentType'>): PlanType | undefined {
  if (paymentType === null) return undefined
  return paymentType === 'crypto' ? 'crypto' : 'regular'
}

interface PaymentPayee {
  readonly address: string
  readonly name: string | undefined
  /** Opens a payment app with this payee and amount; for UPI only. */
  readonly upiLink: string | undefined
}

/** Parses a plan's QR code; the amount is in rupees, for example '499.00'. Undefined where there is no payee. */
export function payeeFor(code: string | null, amount: string): PaymentPayee | undefined {
  if (code === null || code.trim() === '') return undefined
  const { address, name } = readPayee(code.trim())
  return { address, name, upiLink: upiLinkOf(code.trim(), amount) }
}

function upiLinkOf(code: string, amount: string): string | undefined {
  if (!/^upi:\/\/pay\?/i.test(code)) return undefined
  const params = new URLSearchParams(code.slice(code.indexOf('?') + 1))
  if ((params.get('pa') ?? '') === '') return undefined
  // Never change a signed link: its signature would become invalid.
  if (params.has('sign')) return code
  params.set('am', amount)
  params.set('cu', 'INR')
  // UPI apps expect %20 for a space, not a plus sign, and a plain @.
  return `upi://pay?${params.toString().replaceAll('+', '%20').replaceAll('%40', '@')}`
}
