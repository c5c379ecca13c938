// Routes used by the first screens; others are loaded with the pages that use them.
import { auditRoutes } from './audit/contract.ts'
import { authRoutes } from './auth/contract.ts'
import { passwordRoutes } from './auth/password-contract.ts'
import { sessionRoutes } from './auth/session-contract.ts'
import { errorReportRoutes } from './error-reports/contract.ts'
import { chartRoutes } from './chart/contract.ts'
import { instrumentRoutes } from './instruments/contract.ts'
import { marketDataRoutes } from './market-data/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { presenceRoutes } from './presence/contract.ts'
import { privacyRoutes } from './privacy/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { adminRoutes, userRoutes } from './users/contract.ts'
import { workspaceRoutes } from './workspace/contract.ts'

export const firstLoadApi = {
  auth: authRoutes,
  users: userRoutes,
  sessions: sessionRoutes,
  presence: presenceRoutes,
  chart: chartRoutes,
  instruments: instrumentRoutes,
  marketData: marketDataRoutes,
  plans: planRoutes,
  subscriptions: subscriptionRoutes,
  admin: adminRoutes,
  audit: auditRoutes,
  passwords: passwordRoutes,
  privacy: privacyRoutes,
  workspace: workspaceRoutes,
  errorReports: errorReportRoutes,
} as const
