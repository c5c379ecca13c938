// Payment plan: limits, price in minor units, and validation.
import { z } from 'zod'
import { amountOf } from '#shared/base/read-decimal.ts'
import { planText } from '#shared/plans/text/en.ts'
import { isAddressOf, networks, type Network } from './network.ts'
import type { CodeOf, Issue } from '#shared/messages/message.ts'

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
  /** Of the crypto plan: where USDT is sent. Null where it is not set. */
  network: z.enum(networks).nullable(),
  address: z.string().nullable(),
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
  readonly type?: PlanType | undefined
  /** Empty or missing without a network. */
  readonly network?: Network | '' | null | undefined
  readonly address?: string | null | undefined
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
  return findNetworkIssue(form)
}

/** Network and address belong together, and to the crypto plan. */
function findNetworkIssue({ type, network, address }: PlanForm): PlanIssue | undefined {
  const bare = (address ?? '').trim()
  const isSet = network !== undefined && network !== null && network !== ''
  if (!isSet) return bare === '' ? undefined : { field: 'network', code: 'plans.networkMissing' }
  if (type === 'regular') return { field: 'network', code: 'plans.networkCryptoOnly' }
  if (bare === '') return { field: 'address', code: 'plans.addressMissing' }
  return isAddressOf(network, bare) ? undefined : { field: 'address', code: 'plans.addressInvalid' }
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
