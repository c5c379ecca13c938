// Every route of the product by feature; what is not listed here does not exist.
import { authRoutes } from './auth/contract.ts'
import { errorReportRoutes } from './error-reports/contract.ts'
import { adminMarketRoutes } from './market/admin-contract.ts'
import { marketRoutes } from './market/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { privacyRoutes } from './privacy/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { udfRoutes } from './udf/contract.ts'
import { adminRoutes, selfRoutes, userRoutes } from './users/contract.ts'
import { workspaceRoutes } from './workspace/contract.ts'

export const api = {
  auth: authRoutes,
  users: userRoutes,
  market: marketRoutes,
  adminMarket: adminMarketRoutes,
  plans: planRoutes,
  subscriptions: subscriptionRoutes,
  admin: adminRoutes,
  self: selfRoutes,
  privacy: privacyRoutes,
  udf: udfRoutes,
  workspace: workspaceRoutes,
  errorReports: errorReportRoutes,
} as const
