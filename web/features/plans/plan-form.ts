// Plan form: values, validation and request body.
import type { FieldMessage } from '#shared/http/api-error.ts'
import type { Network } from '#shared/plans/network.ts'
import { findPlanIssue, planTypes, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { planText } from '#shared/plans/text/en.ts'
import { issueIn } from '#shared/text/texts.ts'

export interface PlanForm {
  readonly type: PlanType
  readonly month: string
  readonly price: string
  /** Data URL, empty while no image was chosen. */
  readonly qrcodeUrl: string
  /** Of the crypto plan; empty where they are not set. */
  readonly network: Network | ''
  readonly address: string
}

const noTarget = { network: '', address: '' } as const

/** A new plan starts with the first type without a plan; an edit with the existing values. */
export function startPlanForm(plans: readonly Plan[], plan: Plan | undefined): PlanForm {
  if (plan === undefined)
    return { type: planTypes.find((type) => !isTaken(plans, type)) ?? 'regular', month: '', price: '', qrcodeUrl: '', ...noTarget }
  const { type, month, price, qrcodeUrl, network, address } = plan
  return { type, month: String(month), price: String(price), qrcodeUrl, network: network ?? '', address: address ?? '' }
}

export type PlanFormIssue = FieldMessage<keyof PlanForm>

/** First error with its field, or undefined. Each type may have only one plan. */
export function findPlanFormIssue(values: PlanForm, plans: readonly Plan[], plan: Plan | undefined): PlanFormIssue | undefined {
  const issue = issueIn(planText, findPlanIssue(values.type === 'crypto' ? values : { ...values, ...noTarget }))
  if (issue !== undefined) return issue
  return plan === undefined && isTaken(plans, values.type) ? { field: 'type', message: planAdminText.typeTaken(values.type) } : undefined
}

/** Field and message of a server error; undefined where it concerns no field of the form. */
export function serverPlanIssue(fields: Readonly<Record<string, string>>): PlanFormIssue | undefined {
  return (['type', 'month', 'price', 'qrcodeUrl', 'network', 'address'] as const)
    .map((field) => ({ field, message: fields[field] ?? '' }))
    .find(({ message }) => message !== '')
}

function isTaken(plans: readonly Plan[], type: PlanType): boolean {
  return plans.some((plan) => plan.type === type)
}

/** Both types have a plan, so none can be added. */
export function areAllTaken(plans: readonly Plan[]): boolean {
  return planTypes.every((type) => isTaken(plans, type))
}
