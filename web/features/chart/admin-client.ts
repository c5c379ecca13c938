// Typed API client of the admin pages; separate, so that the first screens do not load it.
import { createClient } from '#shared/http/client.ts'
import { calendarImportRoutes } from '#shared/market-admin/calendar-import-contract.ts'
import { marketAdminRoutes } from '#shared/market-admin/contract.ts'
import { adminInstrumentRoutes } from '#shared/instruments/admin-instrument-contract.ts'
import { send } from '#web/lib/api.ts'

/** Calls about market data and instruments, for example `adminMarket.overview()`. */
export const { adminMarket, adminInstruments, calendarImport } = createClient(
  { adminMarket: marketAdminRoutes, adminInstruments: adminInstrumentRoutes, calendarImport: calendarImportRoutes },
  send,
)
