// What an operator has to know of the market data: every series, the calendars, and this process.
import type { MarketOverview } from '#shared/market/admin-contract.ts'
import { seriesKeys } from '#shared/market/instrument-facts.ts'
import type { VerifyReport } from '#shared/market/verify-report.ts'
import type { SeriesViews } from '../live/series-views.ts'
import type { MarketWiring } from '../market-data.ts'
import { calendarReport } from './calendar-report.ts'
import { seriesReport } from './series-report.ts'

interface Needs {
  readonly market: Pick<MarketWiring, 'licences' | 'sources' | 'setup' | 'clock'>
  readonly views: Pick<SeriesViews, 'conditions'>
  /** Open sockets of this process. */
  readonly liveSockets: () => number
  /** The last check of stored candles. */
  readonly verification: () => Promise<VerifyReport | null>
}

export interface OperatorService {
  /** The whole view at this moment. Looks at nothing that nobody watches, so that asking opens no source. */
  overview(): Promise<MarketOverview>
}

export function operatorService({ market, views, liveSockets, verification }: Needs): OperatorService {
  const { licences, sources, setup, clock } = market
  return {
    async overview() {
      const nowMs = clock.now()
      const facts = { licences, sources, setup, conditions: views.conditions(), nowMs }
      return {
        nowMs,
        series: seriesKeys.map((series) => seriesReport(facts, series)),
        calendars: calendarReport(nowMs),
        verification: await verification(),
        process: { liveSockets: liveSockets(), hub: setup.hubPlace() },
      }
    },
  }
}
