// All API routes by feature; only routes listed here are served.
import { auditRoutes } from './audit/contract.ts'
import { authRoutes } from './auth/contract.ts'
import { emailRoutes } from './auth/email-contract.ts'
import { passwordRoutes } from './auth/password-contract.ts'
import { roleRoutes } from './auth/role-contract.ts'
import { sessionRoutes } from './auth/session-contract.ts'
import { brokerRoutes } from './brokers/contract.ts'
import { chartRoutes } from './chart/contract.ts'
import { errorReportRoutes } from './error-reports/contract.ts'
import { factorRoutes } from './factors/contract.ts'
import { adminInstrumentRoutes } from './instruments/admin-instrument-contract.ts'
import { instrumentRoutes } from './instruments/contract.ts'
import { calendarImportRoutes } from './market-admin/calendar-import-contract.ts'
import { marketAdminRoutes } from './market-admin/contract.ts'
import { marketDataRoutes } from './market-data/contract.ts'
import { planRoutes } from './plans/contract.ts'
import { presenceRoutes } from './presence/contract.ts'
import { privacyRoutes } from './privacy/contract.ts'
import { subscriptionRoutes } from './subscriptions/contract.ts'
import { systemStatusRoutes } from './system-status/contract.ts'
import { adminRoutes, userRoutes } from './users/contract.ts'
import { workspaceRoutes } from './workspace/contract.ts'

export const api = {
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
  marketAdmin: marketAdminRoutes,
  calendarImport: calendarImportRoutes,
  adminInstruments: adminInstrumentRoutes,
  brokers: brokerRoutes,
  email: emailRoutes,
  factors: factorRoutes,
  roles: roleRoutes,
  systemStatus: systemStatusRoutes,
} as const
