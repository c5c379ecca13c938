// The routes that the first screens may call, so that the pages of the others carry theirs by themselves.
import { authRoutes } from './auth/contract.ts'
import { errorReportRoutes } from './error-reports/contract.ts'
import { adminMarketRoutes } from './market/admin-contract.ts'
import { adminInstrumentRoutes } from './market/instruments-contract.ts'
import { marketRoutes } from './market/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { privacyRoutes } from './privacy/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { udfRoutes } from './udf/contract.ts'
import { adminRoutes, selfRoutes, userRoutes } from './users/contract.ts'
import { workspaceRoutes } from './workspace/contract.ts'

export const firstLoadApi = {
  auth: authRoutes,
  users: userRoutes,
  market: marketRoutes,
  adminMarket: adminMarketRoutes,
  adminInstruments: adminInstrumentRoutes,
  plans: planRoutes,
  subscriptions: subscriptionRoutes,
  admin: adminRoutes,
  self: selfRoutes,
  privacy: privacyRoutes,
  udf: udfRoutes,
  workspace: workspaceRoutes,
  errorReports: errorReportRoutes,
} as const
