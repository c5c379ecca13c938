// The operator's market data overview: every series, the calendars, and this process.
import type { MarketOverview, RejectedRowsReport } from '#shared/market-admin/contract.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import type { VerifyReport } from '#shared/market-data/verify-report.ts'
import type { SeriesViews } from '#server/features/market-data/live/series-views.ts'
import type { MarketWiring } from '#server/features/market-data/live/market-data.ts'
import { calendarReport } from './calendar-report.ts'
import { seriesReport } from '#server/features/market-data/series-report.ts'

interface Deps {
  readonly market: Pick<MarketWiring, 'licences' | 'sources' | 'setup' | 'probes' | 'clock'>
  readonly views: Pick<SeriesViews, 'conditions'>
  /** Open sockets of this process. */
  readonly liveSockets: () => number
  /** The last check of stored candles. */
  readonly verification: () => Promise<VerifyReport | null>
  readonly rejectedRows: () => Promise<RejectedRowsReport[]>
}

export interface OperatorService {
  /** The whole overview at this moment. Reads only open series, so that it opens no source. */
  overview(): Promise<MarketOverview>
}

export function operatorService({ market, views, liveSockets, verification, rejectedRows }: Deps): OperatorService {
  const { licences, sources, setup, probes, clock } = market
  return {
    async overview() {
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
