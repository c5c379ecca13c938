// All API routes by feature; only routes listed here are served.
import { emailRoutes } from './auth/email-contract.ts'
import { roleRoutes } from './auth/role-contract.ts'
import { brokerRoutes } from './brokers/contract.ts'
import { factorRoutes } from './factors/contract.ts'
import { firstLoadApi } from './first-load-api.ts'
import { calendarImportRoutes } from './market-admin/calendar-import-contract.ts'
import { marketAdminRoutes } from './market-admin/contract.ts'
import { adminInstrumentRoutes } from './instruments/admin-instrument-contract.ts'
import { systemStatusRoutes } from './system-status/contract.ts'

export const api = {
  ...firstLoadApi,
  marketAdmin: marketAdminRoutes,
  calendarImport: calendarImportRoutes,
  adminInstruments: adminInstrumentRoutes,
  brokers: brokerRoutes,
  email: emailRoutes,
  factors: factorRoutes,
  roles: roleRoutes,
  systemStatus: systemStatusRoutes,
} as const
