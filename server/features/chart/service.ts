// The chart configuration for a user, and the toggles of an account.
import { chartFlagNames, type ChartFlag, type ChartFlags } from '#shared/chart/chart-flags.ts'
import type { ChartConfig } from '#shared/chart/contract.ts'
import { instruments, type Instrument } from '#shared/instruments/instruments.ts'
import { appliedCalendarLists } from '#shared/trading-hours/exchange-calendar.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import type { Db } from '#server/db/database.ts'
import { RevalidatedValues } from '#server/outages/revalidated-value.ts'
import { entitledInstrument, type BrokerMarketOf } from '#server/features/market-data/history/candles-service.ts'
import type { MarketSetup } from '#server/features/market-data/live/market-data.ts'
import type { SeriesViews } from '#server/features/market-data/live/series-view.ts'
import { nativeSourceOf, seriesFactsOf, type SeriesMarket } from '#server/features/market-data/series-report.ts'
import { readSettledRows } from '#server/features/market-data/store/rejected-rows.ts'
import type { InstrumentSettings } from '../instruments/instrument-settings.ts'
import { readChartFlags, writeChartFlags } from './repository.ts'

/** Users whose toggles are kept for a database that does not answer. */
const usersMax = 10_000

/** Built-ins of the provider: community scripts may be ignored by free widgets, or disappear. */
const studyIds: Readonly<Record<ChartFlag, readonly string[]>> = {
  blockPressure: ['STD;Bull%Bear%Power'],
  volumeDelta: ['STD;Volume%1Delta'],
  zigZag: ['STD;Zig_Zag'],
  pivotpoint: ['STD;Pivot%1Points%1Standard'],
  renkoSRvolume: ['STD;Donchian_Channels', 'Volume@tv-basicstudies'],
  pricePercentageShadedCandel: ['STD;Bollinger%1Bars'],
}

interface Deps {
  readonly db: Db
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly settings: InstrumentSettings
  readonly market: SeriesMarket & { readonly setup: Pick<MarketSetup, 'firstChart'> }
  readonly views: Pick<SeriesViews, 'conditions'>
  readonly brokerMarketOf: BrokerMarketOf
}

export type ChartService = ReturnType<typeof chartService>

export function chartService({ db, now, onError, settings, market, views, brokerMarketOf }: Deps) {
  const flagsOfUsers = new RevalidatedValues(usersMax, (userId) => ({ read: () => readChartFlags(db, userId), freshMs: 0, now, onError }))
  const settledRows = new RevalidatedValues(instruments.length, (series) => ({
    read: () => readSettledRows(db, series),
    freshMs: 0,
    now,
    onError,
  }))

  /** What the Tezi chart can show this viewer, and which candles stay missing there. */
  async function nativeOf(viewer: User, instrument: Instrument): Promise<Pick<ChartConfig, 'native' | 'missing'>> {
    const { series } = instrument
    const own = await brokerMarketOf(viewer, instrument)
    if (own !== undefined) return { native: 'real', missing: await own.missing(series) }
    return { native: nativeSourceOf(seriesFactsOf(market, views), series), missing: await settledRows.of(series).get() }
  }

  return {
    /** The chart configuration; rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium. */
    async config(viewer: User, slug: string): Promise<ChartConfig> {
      const instrument = entitledInstrument(viewer, slug, (known) => settings.isHidden(known))
      const { label, name, note } = instrument
      const { symbol, widget, substitutes, firstChart } = await settings.of(instrument)
      const shown = {
        symbol,
        widget,
        substitutes,
        firstChart: firstChart ?? market.setup.firstChart,
        ...(await nativeOf(viewer, instrument)),
      }
      // The toggles outlive a subscription, so check premium again before returning their studies.
      const studies = hasPremium(viewer) ? studiesOf(await flagsOfUsers.of(viewer._id).get()) : []
      return { slug: instrument.slug, label, name, ...shown, calendars: appliedCalendarLists(), note, studies, nowMs: now() }
    },
    settings: (userId: string): Promise<ChartFlags> => readChartFlags(db, userId),
    /** Replaces the toggles and returns them as stored. */
    async saveSettings(userId: string, flags: ChartFlags): Promise<ChartFlags> {
      await writeChartFlags(db, userId, flags, new Date(now()))
      await flagsOfUsers.of(userId).reload()
      return flags
    },
  }
}

/** Study ids of the enabled toggles, in toggle order. */
export function studiesOf(flags: ChartFlags): string[] {
  return chartFlagNames.filter((flag) => flags[flag]).flatMap((flag) => studyIds[flag])
}
