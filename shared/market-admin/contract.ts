// Admin route for market data: series, sources, licences and their current state.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { candleIssues } from '#shared/candles/candle-issue.ts'
import { conditionSchema } from '#shared/market-data/live/contract.ts'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import { verifyReportSchema } from '#shared/market-data/verify-report.ts'

/** Why a source of a series is not used. */
const sourceIssues = ['not-switched-on', 'missing-setting', 'needs-licence', 'no-symbol'] as const

export type SourceIssue = (typeof sourceIssues)[number]

const licenceModes = ['open', 'licensed', 'delayed', 'edu-30d', 'refused'] as const

const licenceSchema = z.object({
  /** Exchange or provider, for example nse or kite; `public` needs no licence. */
  holder: z.string(),
  mode: z.enum(licenceModes),
  /** Licence contract, as entered by the operator. */
  reference: z.string().nullable(),
  delayMinutes: z.number(),
})

const sourceSchema = z.object({
  /** Source id, for example twelve-data. */
  source: z.string(),
  /** Display name, for example Twelve Data. */
  title: z.string(),
  /** The source's current symbol; null if it has none. */
  symbol: z.string().nullable(),
  /** Substitute that is shown instead of the instrument; null for the instrument itself. */
  proxy: z.string().nullable(),
  /** All are required. */
  licences: z.array(licenceSchema),
  /** All issues, because each must be resolved; empty if the source is usable. */
  issues: z.array(z.enum(sourceIssues)),
  /** Names of missing settings, for example KITE_API_KEY; never a value. */
  missing: z.array(z.string()),
  /** Why the source does not work; null if it does, or was not asked yet. */
  failure: z.string().nullable(),
  /** Whether the source has answered. */
  isAnswering: z.boolean(),
})

export type MarketSource = z.output<typeof sourceSchema>

const hoursSchema = z.object({
  isOpen: z.boolean(),
  /** Next opening of a closed market, epoch milliseconds; null while it is open, or beyond the calendar. */
  opensAtMs: z.number().nullable(),
  /** Holiday on which it is closed. */
  reason: z.string().nullable(),
})

const seriesSchema = z.object({
  series: z.string(),
  /** Labels of all instruments with these prices, for example NIFTY and NIFTY 50. */
  labels: z.array(z.string()),
  name: z.string(),
  sessionClass: z.enum(sessionClasses),
  hours: hoursSchema,
  /** In order of preference. */
  sources: z.array(sourceSchema),
  /** Current condition; null while this process does not subscribe to it. */
  condition: conditionSchema.nullable(),
})

export type MarketSeries = z.output<typeof seriesSchema>

const calendarSchema = z.object({
  /** Trading hours that the calendar covers. */
  sessionClasses: z.array(z.enum(sessionClasses)),
  version: z.string(),
  /** Last date with known holidays and special hours; null where rules hold for every year. */
  coveredUntil: z.string().nullable(),
  /** Full days covered after today; null while more than 90. */
  daysLeft: z.number().nullable(),
})

export type MarketCalendar = z.output<typeof calendarSchema>

/** Where the market data hub runs: in this process, in another with this one on standby, in another; or it does not respond. */
export const hubPlaces = ['here', 'standby', 'elsewhere', 'silent'] as const

export type HubPlace = (typeof hubPlaces)[number]

const rejectedRowsSchema = z.object({
  series: z.string(),
  source: z.string(),
  /** Whether the source is users' own brokers: all of them together. */
  isOwn: z.boolean(),
  /** Live messages that were left out; of own brokers also rows of history. */
  leftOut: z.number(),
  /** Candles that are requested again, at most once a day. */
  waiting: z.number(),
  /** Candles that the source has answered three times with the same invalid row. */
  settled: z.number(),
  /** What is wrong with the last one. */
  issue: z.enum(candleIssues),
  /** Epoch milliseconds of the last one. */
  answeredMs: z.number(),
})

export type RejectedRowsReport = z.output<typeof rejectedRowsSchema>

const overviewSchema = z.object({
  nowMs: z.number(),
  series: z.array(seriesSchema),
  calendars: z.array(calendarSchema),
  /** Last verification of all stored candles; null if there was none. */
  verification: verifyReportSchema.nullable(),
  /** Rows of sources that cannot be candles, by series and source. */
  rejectedRows: z.array(rejectedRowsSchema),
  /** The process that answers; other processes have their own figures. */
  process: z.object({ liveSockets: z.number().int(), hub: z.enum(hubPlaces) }),
})

export type MarketOverview = z.output<typeof overviewSchema>

export const marketAdminRoutes = {
  overview: route({
    method: 'GET',
    path: '/admin/market',
    access: 'admin',
    summary: 'Every series with its sources, licences, hours and present condition; the calendars; this process. Holds no key.',
    reply: z.object({ success: z.literal(true), data: overviewSchema }),
    errorStatuses: [401, 403],
  }),
}
