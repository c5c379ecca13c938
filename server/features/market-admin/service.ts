// The admin's overview of market data: every series, the calendars, and this process.
import type { MarketCalendar, MarketOverview, RejectedRowsReport } from '#shared/market-admin/contract.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import type { VerifyReport } from '#shared/market-data/verify-report.ts'
import type { SeriesViews } from '#server/features/market-data/live/series-view.ts'
import type { MarketWiring } from '#server/features/market-data/live/market-data.ts'
import { seriesReport } from '#server/features/market-data/series-report.ts'
import { calendarWarning, knownUntil } from '#shared/trading-hours/calendar-warning.ts'
import { calendarSourceOf, type ExchangeCalendar } from '#shared/trading-hours/exchange-calendar.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'

interface Deps {
  readonly market: Pick<MarketWiring, 'licences' | 'sources' | 'setup' | 'probes' | 'clock'>
  readonly views: Pick<SeriesViews, 'conditions'>
  /** Open sockets of this process. */
  readonly liveSockets: () => number
  /** The last check of stored candles. */
  readonly verification: () => Promise<VerifyReport | null>
  readonly rejectedRows: () => Promise<RejectedRowsReport[]>
}

export type MarketAdminService = ReturnType<typeof marketAdminService>

export function marketAdminService({ market, views, liveSockets, verification, rejectedRows }: Deps) {
  const { licences, sources, setup, probes, clock } = market
  return {
    /** The whole overview at this moment. Reads only open series, so that it opens no source. */
    async overview(): Promise<MarketOverview> {
      const nowMs = clock.now()
      const facts = { licences, sources, setup, reach: probes.reach(), conditions: views.conditions(), nowMs }
      return {
        nowMs,
        series: seriesKeys.map((series) => seriesReport(facts, series)),
        calendars: calendarReport(nowMs),
        verification: await verification(),
        rejectedRows: await rejectedRows(),
        process: { liveSockets: liveSockets(), hub: setup.hubPlace() },
      }
    },
  }
}

/** Every calendar once, with the session classes that share it, at an instant (epoch milliseconds). */
function calendarReport(nowMs: number): MarketCalendar[] {
  const classesOf = new Map<ExchangeCalendar, [SessionClass, ...SessionClass[]]>()
  for (const sessionClass of sessionClasses) {
    const { exchange } = calendarSourceOf(sessionClass)
    const classes = classesOf.get(exchange)
    if (classes === undefined) classesOf.set(exchange, [sessionClass])
    else classes.push(sessionClass)
  }
  return [...classesOf].map(([exchange, classes]) => ({
    sessionClasses: classes,
    version: exchange.version,
    coveredUntil: knownUntil(exchange),
    daysLeft: calendarWarning(classes[0], nowMs)?.daysLeft ?? null,
  }))
}
