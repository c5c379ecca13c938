// User on the wire; field names are those of the specification.
import { z } from 'zod'

export const roles = ['user', 'admin'] as const
const subscriptionStatuses = ['pending', 'paid', 'cancel'] as const
const cancelReasons = ['expired', 'suspended', 'declined'] as const
const paymentTypes = ['crypto', 'upi', 'bank'] as const

export const userSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(roles),
  isPremium: z.boolean(),
  status: z.enum(subscriptionStatuses).nullable(),
  /** Why there is no premium any more, or why the request failed; absent otherwise. */
  reason: z.enum(cancelReasons).optional(),
  premiumStartDate: z.string().nullable(),
  premiumEndDate: z.string().nullable(),
  subscriptionMonths: z.number().int(),
  paymentType: z.enum(paymentTypes).nullable(),
  utrNo: z.string().nullable(),
  /** Only in the list of an admin, and only with two-factor sign-in. */
  hasSecondFactor: z.boolean().optional(),
  /** Only in responses about the caller, and only if an admin has set the password. */
  mustChangePassword: z.boolean().optional(),
  /** Same, and only if an admin must set up two-factor sign-in. */
  mustAddSecondFactor: z.boolean().optional(),
  /** Same, and only without recorded consent to the current privacy notice. */
  consent: z.enum(['missing', 'withdrawn']).optional(),
})

export type User = z.output<typeof userSchema>

/** What an open page follows: a difference from its own user means that it has to be read again. */
export const accountStateSchema = userSchema.pick({ isPremium: true, status: true, premiumEndDate: true })

export type AccountState = z.output<typeof accountStateSchema>

export function accountStateOf({ isPremium, status, premiumEndDate }: AccountState): AccountState {
  return { isPremium, status, premiumEndDate }
}

export type CancelReason = (typeof cancelReasons)[number]
export type Role = (typeof roles)[number]
