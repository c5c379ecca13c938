// What a chart needs for one person, and the toggles of an account.
import type { ChartFlags } from '#shared/market/chart-flags.ts'
import type { ChartConfig } from '#shared/market/contract.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import type { Db } from '#server/db/database.ts'
import { entitledInstrument } from './history/entitled-instrument.ts'
import { readChartFlags, writeChartFlags } from './repository.ts'
import { studiesOf } from './study-ids.ts'

interface Needs {
  readonly db: Db
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A signed-in user is one. */
type ChartViewer = Pick<User, '_id' | 'role' | 'isPremium'>

export interface MarketService {
  /** What a chart needs; rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium. */
  chart(viewer: ChartViewer, slug: string): Promise<ChartConfig>
  chartSettings(userId: string): Promise<ChartFlags>
  /** Replaces the toggles and gives them back as stored. */
  saveChartSettings(userId: string, flags: ChartFlags): Promise<ChartFlags>
}

export function marketService({ db, now }: Needs): MarketService {
  return {
    async chart(viewer, slug) {
      const instrument = entitledInstrument(viewer, slug)
      const { label, name, symbol, widget, note } = instrument
      // The toggles outlive a subscription, so premium is asked again before their studies leave the server.
      const studies = hasPremium(viewer) ? studiesOf(await readChartFlags(db, viewer._id)) : []
      return { slug: instrument.slug, label, name, symbol, widget, note, studies }
    },
    chartSettings: (userId) => readChartFlags(db, userId),
    async saveChartSettings(userId, flags) {
      await writeChartFlags(db, userId, flags, new Date(now()))
      return flags
    },
  }
}
