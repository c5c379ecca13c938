// The call of the operator's view of the market data: what can be shown, from where, under whose permission, and how it is now.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { conditionSchema } from './live.ts'
import { sessionClasses } from './sessions/session-class.ts'
import { verifyReportSchema } from './verify-report.ts'

/** Why a source of a series is not used. */
const sourceObstacles = ['not-switched-on', 'missing-setting', 'needs-licence', 'no-symbol'] as const

export type SourceObstacle = (typeof sourceObstacles)[number]

const licenceModes = ['open', 'licensed', 'delayed', 'edu-30d', 'refused'] as const

const licenceSchema = z.object({
  /** Exchange or provider, such as nse or kite; `public` needs no licence. */
  holder: z.string(),
  mode: z.enum(licenceModes),
  /** The contract; what the operator wrote down. */
  reference: z.string().nullable(),
  delayMinutes: z.number(),
})

const sourceSchema = z.object({
  /** Machine name, such as twelve-data. */
  source: z.string(),
  /** Such as Twelve Data; for people. */
  title: z.string(),
  /** The source's own symbol of today; null where it has none today. */
  symbol: z.string().nullable(),
  /** What is really shown where it is not the instrument itself. */
  proxy: z.string().nullable(),
  /** All of them are needed. */
  licences: z.array(licenceSchema),
  /** All of them, as each has to be removed; empty where the source is used. */
  obstacles: z.array(z.enum(sourceObstacles)),
  /** Names of absent settings, such as KITE_API_KEY; never a value. */
  missing: z.array(z.string()),
})

export type MarketSource = z.output<typeof sourceSchema>

const hoursSchema = z.object({
  isOpen: z.boolean(),
  /** Next opening of a closed market, epoch milliseconds; null where it is open, or where the calendar knows none. */
  opensAtMs: z.number().nullable(),
  /** Holiday for which it is closed. */
  reason: z.string().nullable(),
})

const seriesSchema = z.object({
  series: z.string(),
  /** Of every instrument with these prices, such as NIFTY and NIFTY 50. */
  labels: z.array(z.string()),
  name: z.string(),
  sessionClass: z.enum(sessionClasses),
  hours: hoursSchema,
  /** In the order in which they are tried. */
  sources: z.array(sourceSchema),
  /** How it is now; null while this process does not look at it. */
  condition: conditionSchema.nullable(),
})

export type MarketSeries = z.output<typeof seriesSchema>

const calendarSchema = z.object({
  /** The trading hours that it serves. */
  sessionClasses: z.array(z.enum(sessionClasses)),
  version: z.string(),
  /** Last date of which the holidays and the days with other hours are known; null where rules hold for every year. */
  coveredUntil: z.string().nullable(),
  /** Full days that it still covers after today; null while there are 30 or more. */
  daysLeft: z.number().nullable(),
})

export type MarketCalendar = z.output<typeof calendarSchema>

/** Who makes the data: this process, another one while this one waits for its turn, another one; or nobody answers. */
export const hubPlaces = ['here', 'standby', 'elsewhere', 'silent'] as const

export type HubPlace = (typeof hubPlaces)[number]

const overviewSchema = z.object({
  nowMs: z.number(),
  series: z.array(seriesSchema),
  calendars: z.array(calendarSchema),
  /** The last check of all stored candles; null where there was none. */
  verification: verifyReportSchema.nullable(),
  /** The process that answers; others have figures of their own. */
  process: z.object({ liveSockets: z.number().int(), hub: z.enum(hubPlaces) }),
})

export type MarketOverview = z.output<typeof overviewSchema>

export const adminMarketRoutes = {
  overview: route({
    method: 'GET',
    path: '/admin/market',
    access: 'admin',
    summary: 'Every series with its sources, licences, hours and present condition; the calendars; this process. Holds no key.',
    reply: z.object({ success: z.literal(true), data: overviewSchema }),
    refusals: [401, 403],
  }),
}
