// Payment plan: limits, price in minor units, and validation.
import { z } from 'zod'
import { amountOf } from '#shared/base/decimal.ts'
import { planText } from '#shared/text/en/plans.ts'
import type { CodeOf, Issue } from '#shared/text/messages.ts'

export const planTypes = ['regular', 'crypto'] as const
export type PlanType = (typeof planTypes)[number]

export const monthsMin = 1
export const monthsMax = 120
/** 1 crore rupees: above any plan, and exact in paise. */
const priceMax = 10_000_000

export const planSchema = z.object({
  _id: z.string(),
  month: z.number().int(),
  price: z.number(),
  /** Data URL of the image, re-encoded by the server. */
  qrcodeUrl: z.string(),
  type: z.enum(planTypes),
  /** Content of the QR code, for example upi://pay?pa=...; null if there is none. */
  payee: z.string().nullable(),
  /** Number of changes; an edit sends the version it is based on. */
  version: z.number().int(),
  /** Time of the last change; its author is shown to admins only. */
  updatedAt: z.string(),
})

export type Plan = z.output<typeof planSchema>

/** Values as typed, or as sent by an API client. */
export interface PlanForm {
  readonly month: string | number
  readonly price: string | number
  readonly qrcodeUrl: string
}

export type PlanIssue = Issue<keyof PlanForm, CodeOf<'plans', typeof planText>>

/** First error of the plan form in the order of the specification, with its field, or undefined. */
export function findPlanIssue(form: PlanForm): PlanIssue | undefined {
  const empty = (['month', 'price', 'qrcodeUrl'] as const).find((field) => String(form[field]).trim() === '')
  if (empty !== undefined) return { field: empty, code: 'plans.fillAll' }
  const price = amountOf(form.price)
  if (!(price > 0)) return { field: 'price', code: 'plans.pricePositive' }
  if (price > priceMax || !isWholeMinor(price)) return { field: 'price', code: 'plans.priceStep' }
  const months = amountOf(form.month)
  if (!(months > 0)) return { field: 'month', code: 'plans.monthsPositive' }
  if (!Number.isInteger(months) || months > monthsMax) return { field: 'month', code: 'plans.monthsRange' }
  return undefined
}

/** Price in paise or cents. The price has at most two decimals, checked by the caller. */
export function minorOf(price: number): number {
  return Math.round(price * 100)
}

/** True if a price has at most two decimals. */
function isWholeMinor(price: number): boolean {
  return Number(price.toFixed(2)) === price
}

export const currencyOf = { regular: 'INR', crypto: 'USD' } as const satisfies Record<PlanType, string>

/** '1 month', '3 months'. */
export function monthLabel(months: number): string {
  return planText.months(months)
}
