// The services behind the chart page and the admin's Instruments page, which share the instruments' settings.
import type { Db } from '#server/db/database.ts'
import { instrumentSettings } from './instruments/instrument-settings.ts'
import { instrumentsService, type InstrumentsService } from './instruments/instruments-service.ts'
import { nativeSourceOf } from './instruments/native-source.ts'
import type { OwnMarketOf } from './history/candles-service.ts'
import type { IsHidden } from './history/entitled-instrument.ts'
import type { MarketData, MarketWiring } from './market-data.ts'
import { marketService, type MarketService } from './service.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly wiring: MarketWiring
  readonly data: MarketData
  readonly ownMarketOf: OwnMarketOf
}

export interface ChartServices {
  readonly market: MarketService
  readonly instruments: InstrumentsService
  readonly isHidden: IsHidden
  /** Reads the settings before the first request; where the database is away, later. */
  readonly prepare: () => Promise<void>
}

export function chartServices({ db, now, onError, wiring, data, ownMarketOf }: Deps): ChartServices {
  const settings = instrumentSettings({ db, now, onError })
  const { views } = data
  return {
    market: marketService({
      db,
      now,
      settings,
      firstChart: wiring.setup.firstChart,
      nativeOf: async (viewer, instrument) =>
        (await ownMarketOf(viewer, instrument)) === undefined
          ? nativeSourceOf({ ...wiring, conditions: views.conditions(), nowMs: wiring.clock.now() }, instrument.series)
          : 'real',
    }),
    instruments: instrumentsService({ db, market: wiring, views, settings, now }),
    isHidden: (slug) => settings.isHidden(slug),
    prepare: () => settings.hidden().then(() => undefined, onError),
  }
}
