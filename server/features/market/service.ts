// What a chart needs for one person, and the toggles of an account.
import type { ChartFlags } from '#shared/market/chart-flags.ts'
import type { ChartConfig } from '#shared/market/contract.ts'
import type { FirstChart, NativeSource } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import type { Db } from '#server/db/database.ts'
import { entitledInstrument } from './history/entitled-instrument.ts'
import type { InstrumentSettings } from './instruments/instrument-settings.ts'
import { readChartFlags, writeChartFlags } from './repository.ts'
import { studiesOf } from './study-ids.ts'

interface Needs {
  readonly db: Db
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly settings: InstrumentSettings
  /** Which chart Automatic tries first, where no admin said otherwise. */
  readonly firstChart: FirstChart
  /** What our own chart can show this viewer. */
  readonly nativeOf: (viewer: User, instrument: Instrument) => Promise<NativeSource>
}

export interface MarketService {
  /** What a chart needs; rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium. */
  chart(viewer: User, slug: string): Promise<ChartConfig>
  /** Slugs of the instruments that an admin has hidden. */
  hiddenInstruments(): Promise<string[]>
  chartSettings(userId: string): Promise<ChartFlags>
  /** Replaces the toggles and gives them back as stored. */
  saveChartSettings(userId: string, flags: ChartFlags): Promise<ChartFlags>
}

export function marketService({ db, now, settings, firstChart: firstChartDefault, nativeOf }: Needs): MarketService {
  return {
    async chart(viewer, slug) {
      const instrument = entitledInstrument(viewer, slug, (known) => settings.isHidden(known))
      const { label, name, note } = instrument
      const { symbol, widget, substitutes, firstChart } = await settings.of(instrument)
      const shown = { symbol, widget, substitutes, firstChart: firstChart ?? firstChartDefault, native: await nativeOf(viewer, instrument) }
      // The toggles outlive a subscription, so premium is asked again before their studies leave the server.
      const studies = hasPremium(viewer) ? studiesOf(await readChartFlags(db, viewer._id)) : []
      return { slug: instrument.slug, label, name, ...shown, note, studies, nowMs: now() }
    },
    hiddenInstruments: () => settings.hidden(),
    chartSettings: (userId) => readChartFlags(db, userId),
    async saveChartSettings(userId, flags) {
      await writeChartFlags(db, userId, flags, new Date(now()))
      return flags
    },
  }
}
