// The user as the wire shows it; field names are the spec's.
import { z } from 'zod'

export const roles = ['user', 'admin'] as const
const subscriptionStatuses = ['pending', 'paid', 'cancel'] as const
const paymentTypes = ['crypto', 'upi', 'bank'] as const

export const userSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(roles),
  isPremium: z.boolean(),
  status: z.enum(subscriptionStatuses).nullable(),
  premiumStartDate: z.string().nullable(),
  premiumEndDate: z.string().nullable(),
  subscriptionMonths: z.number().int(),
  paymentType: z.enum(paymentTypes).nullable(),
  utrNo: z.string().nullable(),
  /** Only in answers about the caller, and only where an admin has set the password. */
  mustChangePassword: z.boolean().optional(),
  /** Likewise, and only where an admin has to set up two-factor sign-in. */
  mustAddSecondFactor: z.boolean().optional(),
  /** Likewise, and only where consent to the present privacy notice is not on record. */
  consent: z.enum(['missing', 'withdrawn']).optional(),
})

export type User = z.output<typeof userSchema>
export type Role = (typeof roles)[number]
