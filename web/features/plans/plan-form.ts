// The form of a payment plan as values: what is typed, what is faulty, what is sent.
import type { Fault } from '#shared/auth/rules.ts'
import { findPlanFault, planTypes, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { planText } from '#shared/text/en/plans.ts'

export interface PlanValues {
  readonly type: PlanType
  readonly month: string
  readonly price: string
  /** Data URL, empty while none was chosen. */
  readonly qrcodeUrl: string
}

/** A new plan starts with the first type that is not on sale yet; an edit with what is on sale. */
export function startPlanForm(plans: readonly Plan[], plan: Plan | undefined): PlanValues {
  if (plan !== undefined) return { type: plan.type, month: String(plan.month), price: String(plan.price), qrcodeUrl: plan.qrcodeUrl }
  return { type: planTypes.find((type) => !isTaken(plans, type)) ?? 'regular', month: '', price: '', qrcodeUrl: '' }
}

export type PlanFormFault = Fault<keyof PlanValues>

/** The first fault with its field, or undefined. A type that is on sale already cannot be created again. */
export function findFormFault(values: PlanValues, plans: readonly Plan[], plan: Plan | undefined): PlanFormFault | undefined {
  const fault = findPlanFault(values)
  if (fault !== undefined) return fault
  return plan === undefined && isTaken(plans, values.type) ? { field: 'type', message: planText.typeTaken(values.type) } : undefined
}

/** The field that a refusal of the server is about, with its sentence; undefined where it is about none of the form. */
export function serverFaultOf(fields: Readonly<Record<string, string>>): PlanFormFault | undefined {
  return (['type', 'month', 'price', 'qrcodeUrl'] as const)
    .map((field) => ({ field, message: fields[field] ?? '' }))
    .find(({ message }) => message !== '')
}

function isTaken(plans: readonly Plan[], type: PlanType): boolean {
  return plans.some((plan) => plan.type === type)
}

/** Both types are on sale, so none can be added. */
export function areAllTaken(plans: readonly Plan[]): boolean {
  return planTypes.every((type) => isTaken(plans, type))
}
