// The chart configuration for a user, and the toggles of an account.
import type { ChartFlags } from '#shared/chart/chart-flags.ts'
import type { ChartConfig } from '#shared/chart/contract.ts'
import type { FirstChart, NativeSource } from '#shared/chart/chart-choice.ts'
import type { MissingCandles } from '#shared/chart/missing-candles.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { appliedCalendarLists } from '#shared/trading-hours/exchange-calendar.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import type { Db } from '#server/db/database.ts'
import { RevalidatedValues } from '#server/outages/revalidated-value.ts'
import { entitledInstrument } from '#server/features/market-data/history/candles-service.ts'
import type { InstrumentSettings } from '../instruments/instrument-settings.ts'
import { readChartFlags, writeChartFlags } from './repository.ts'
import { studiesOf } from './widget-studies.ts'

/** Users whose toggles are kept for a database that does not answer. */
const usersMax = 10_000

interface Deps {
  readonly db: Db
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly instruments: InstrumentSettings
  /** The first chart of Automatic, unless an admin changed it. */
  readonly firstChart: FirstChart
  /** What the Tezi chart can show this viewer, and which candles stay missing there. */
  readonly nativeOf: (viewer: User, instrument: Instrument) => Promise<{ native: NativeSource; missing: MissingCandles[] }>
}

export interface ChartService {
  /** The chart configuration; rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium. */
  config(viewer: User, slug: string): Promise<ChartConfig>
  settings(userId: string): Promise<ChartFlags>
  /** Replaces the toggles and returns them as stored. */
  saveSettings(userId: string, flags: ChartFlags): Promise<ChartFlags>
}

export function chartService({ db, now, onError, instruments, firstChart: firstChartDefault, nativeOf }: Deps): ChartService {
  const flagsOfUsers = new RevalidatedValues(usersMax, (userId) => ({ read: () => readChartFlags(db, userId), freshMs: 0, now, onError }))
  return {
    async config(viewer, slug) {
      const instrument = entitledInstrument(viewer, slug, (known) => instruments.isHidden(known))
      const { label, name, note } = instrument
      const { symbol, widget, substitutes, firstChart } = await instruments.of(instrument)
      const shown = { symbol, widget, substitutes, firstChart: firstChart ?? firstChartDefault, ...(await nativeOf(viewer, instrument)) }
      // The toggles outlive a subscription, so check premium again before returning their studies.
      const studies = hasPremium(viewer) ? studiesOf(await flagsOfUsers.of(viewer._id).get()) : []
      return { slug: instrument.slug, label, name, ...shown, calendars: appliedCalendarLists(), note, studies, nowMs: now() }
    },
    settings: (userId) => readChartFlags(db, userId),
    async saveSettings(userId, flags) {
      await writeChartFlags(db, userId, flags, new Date(now()))
      await flagsOfUsers.of(userId).reload()
      return flags
    },
  }
}
