// Every route of the product by feature; what is not listed here does not exist.
import { authRoutes } from './auth/contract.ts'
import { marketRoutes } from './market/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { adminRoutes, selfRoutes, userRoutes } from './users/contract.ts'

export const api = {
  auth: authRoutes,
  users: userRoutes,
  market: marketRoutes,
  plans: planRoutes,
  subscriptions: subscriptionRoutes,
  admin: adminRoutes,
  self: selfRoutes,
} as const
