// Routes used by the first screens; others are loaded with the pages that use them.
import { authRoutes } from './auth/contract.ts'
import { errorReportRoutes } from './error-reports/contract.ts'
import { chartRoutes } from './chart/contract.ts'
import { instrumentRoutes } from './instruments/contract.ts'
import { marketDataRoutes } from './market-data/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { privacyRoutes } from './privacy/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { adminRoutes, selfRoutes, userRoutes } from './users/contract.ts'
import { workspaceRoutes } from './workspace/contract.ts'

export const firstLoadApi = {
  auth: authRoutes,
  users: userRoutes,
  chart: chartRoutes,
  instruments: instrumentRoutes,
  marketData: marketDataRoutes,
  plans: planRoutes,
  subscriptions: subscriptionRoutes,
  admin: adminRoutes,
  self: selfRoutes,
  privacy: privacyRoutes,
  workspace: workspaceRoutes,
  errorReports: errorReportRoutes,
} as const
