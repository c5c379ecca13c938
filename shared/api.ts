// Every route of the product by feature; what is not listed here does not exist.
import { authRoutes } from './auth/contract.ts'
import { marketRoutes } from './market/contract.ts'
import { userRoutes } from './users/contract.ts'

export const api = {
  auth: authRoutes,
  users: userRoutes,
  market: marketRoutes,
} as const
