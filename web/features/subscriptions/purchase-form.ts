// The purchase form as values: its faults in the spec's order, its price, and what is sent.
import { currencyOf, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { findReferenceFault } from '#shared/subscriptions/reference.ts'
import { purchaseText } from '#shared/text/en/purchase.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'
import { formatMoney } from '#web/lib/money.ts'

export type PurchaseField = 'type' | 'utrNo'

export interface PurchaseFault {
  readonly field: PurchaseField
  readonly message: string
}

/** The first fault: no plan chosen, then a reference that is empty or none of the plan's; undefined where all is well. */
export function findPurchaseFault(type: PlanType | undefined, reference: string): PurchaseFault | undefined {
  if (type === undefined) return { field: 'type', message: subscriptionText.selectOption }
  const message = findReferenceFault(type, reference)
  return message === undefined ? undefined : { field: 'utrNo', message }
}

/** Body of the request; price and months tell the server which plan the person saw. */
export function claimOf(plan: Plan, reference: string): { utrNo: string; Months: number; price: number; type: PlanType } {
  return { utrNo: reference.trim(), Months: plan.month, price: plan.price, type: plan.type }
}

/** ₹1,00,000 or $49.50: decimals only where there are some. */
export function priceLabel({ type, price }: Pick<Plan, 'type' | 'price'>): string {
  return formatMoney(price, currencyOf[type])
}

/** The amount as a payment app takes it, such as 100000 or 49.50. */
export function bareAmount(price: number): string {
  return Number.isInteger(price) ? String(price) : price.toFixed(2)
}

/** Label and helper text of the reference field. */
export function referenceWords(type: PlanType | undefined): { label: string; hint: string } {
  if (type === undefined) return { label: purchaseText.anyReference, hint: `${subscriptionText.utrHelp}. ${subscriptionText.orderIdHelp}.` }
  if (type === 'crypto') return { label: purchaseText.orderId, hint: subscriptionText.orderIdHelp }
  return { label: purchaseText.utr, hint: subscriptionText.utrHelp }
}

/** The plans in the order of the cards; what is chosen from the start is the only one on sale. */
export function arrangePlans(plans: readonly Plan[]): { cards: readonly Plan[]; only: PlanType | undefined } {
  const cards = plans.toSorted((a, b) => Number(a.type === 'crypto') - Number(b.type === 'crypto'))
  return { cards, only: cards.length === 1 ? cards[0]?.type : undefined }
}
