// The services of the chart page and of the admin's Instruments page, which share the instrument settings.
import type { Db } from '#server/db/database.ts'
import { instrumentSettings } from '../instruments/instrument-settings.ts'
import { instrumentsService, type InstrumentsService } from '../instruments/instruments-service.ts'
import { nativeSourceOf } from '../instruments/native-source.ts'
import type { BrokerMarketOf, IsHidden } from '#server/features/market-data/history/candles-service.ts'
import type { MarketData, MarketWiring } from '#server/features/market-data/live/market-data.ts'
import { readSettledRows } from '#server/features/market-data/store/rejected-rows.ts'
import { RevalidatedValues } from '#server/outages/revalidated-value.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { chartService, type ChartService } from './service.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly wiring: MarketWiring
  readonly data: MarketData
  readonly brokerMarketOf: BrokerMarketOf
}

export interface ChartServices {
  readonly chart: ChartService
  readonly instruments: InstrumentsService
  readonly isHidden: IsHidden
  /** Preloads the settings; if the database is unavailable, they are read later. */
  readonly prepare: () => Promise<void>
}

export function chartServices({ db, now, onError, wiring, data, brokerMarketOf }: Deps): ChartServices {
  const settings = instrumentSettings({ db, now, onError })
  const { views } = data
  const settledRows = new RevalidatedValues(instruments.length, (series) => ({
    read: () => readSettledRows(db, series),
    freshMs: 0,
    now,
    onError,
  }))
  return {
    chart: chartService({
      db,
      now,
      onError,
      instruments: settings,
      firstChart: wiring.setup.firstChart,
      nativeOf: async (viewer, instrument) => {
        const own = await brokerMarketOf(viewer, instrument)
        if (own !== undefined) return { native: 'real', missing: await own.missing(instrument.series) }
        const facts = { ...wiring, reach: wiring.probes.reach(), conditions: views.conditions(), nowMs: wiring.clock.now() }
        return { native: nativeSourceOf(facts, instrument.series), missing: await settledRows.of(instrument.series).get() }
      },
    }),
    instruments: instrumentsService({ db, market: wiring, views, settings, now }),
    isHidden: (slug) => settings.isHidden(slug),
    prepare: () => settings.hidden().then(() => undefined, onError),
  }
}
