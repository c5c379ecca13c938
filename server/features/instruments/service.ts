// Use cases of the admin's Instruments page: list all, and change one.
import { isDeepStrictEqual } from 'node:util'
import { writeAudit } from '#server/features/audit/service.ts'
import { requireRecentPassword } from '#server/http/session.ts'
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/app-error.ts'
import {
  findSettingIssue,
  type AdminInstrument,
  type InstrumentList,
  type InstrumentSetting,
} from '#shared/instruments/admin-instrument-contract.ts'
import { findInstrument, instruments, type Instrument } from '#shared/instruments/instruments.ts'
import type { SeriesViews } from '#server/features/market-data/live/series-view.ts'
import type { MarketWiring } from '#server/features/market-data/live/market-data.ts'
import { nativeSourceOf, seriesFactsOf, seriesReport } from '#server/features/market-data/series-report.ts'
import { defaultsOf, settingOf, type InstrumentSettings } from './instrument-settings.ts'
import { readSettings, writeSetting, type SettingValues } from './repository.ts'

interface Deps {
  readonly db: Db
  readonly market: Pick<MarketWiring, 'licences' | 'sources' | 'setup' | 'probes' | 'clock'>
  readonly views: Pick<SeriesViews, 'conditions'>
  readonly settings: InstrumentSettings
  readonly now: () => number
}

/** The acting admin: id, client, and time of the last password check. */
export interface InstrumentEditor {
  readonly id: string
  readonly email: string
  readonly address: string
  readonly confirmedAtMs: number
}

export interface SettingChange extends InstrumentSetting {
  readonly version: number
  readonly isChecked: boolean
}

export type InstrumentsService = ReturnType<typeof instrumentsService>

export function instrumentsService({ db, market, views, settings, now }: Deps) {
  return {
    async list(): Promise<InstrumentList> {
      const rows = new Map((await readSettings(db)).map((row) => [row.slug, row]))
      const facts = seriesFactsOf(market, views)
      const list = instruments.map((instrument): AdminInstrument => {
        const { slug, label, name, series } = instrument
        const report = seriesReport(facts, series)
        const usable = report.sources.find(({ issues, failure }) => issues.length === 0 && failure === null)
        return {
          ...settingOf(instrument, rows.get(slug)),
          slug,
          label,
          name,
          defaults: defaultsOf(instrument),
          native: nativeSourceOf(facts, series),
          source: report.condition?.label?.source ?? usable?.title ?? null,
          condition: report.condition,
        }
      })
      return { nowMs: facts.nowMs, firstChart: market.setup.firstChart, instruments: list }
    },

    /** Slugs of the hidden instruments. */
    hidden: (): Promise<string[]> => settings.hidden(),

    /** @throws AppError forbidden (old password check), not-found, invalid (a rule of the setting), conflict (`version` is not the latest) */
    async save(editor: InstrumentEditor, slug: string, { version, isChecked, ...setting }: SettingChange): Promise<void> {
      requireRecentPassword(editor, now())
      const instrument = findInstrument(slug)
      if (instrument === undefined) throw new AppError('not-found', 'instruments.unknown')
      const issue = findSettingIssue(setting, slug)
      if (issue !== undefined) throw new AppError('invalid', issue, { fields: { [issue.field]: issue } })
      const at = new Date(now())
      await db.transaction().execute(async (transaction) => {
        const before = settingOf(
          instrument,
          (await readSettings(transaction)).find((row) => row.slug === slug),
        )
        if (!(await writeSetting(transaction, slug, version, valuesOf(instrument, setting), at)))
          throw new AppError('conflict', 'instruments.editedMeanwhile')
        await writeAudit(transaction, {
          at,
          actor: editor,
          action: 'instrument-changed',
          target: { id: null, name: instrument.label },
          address: editor.address,
          details: { before: describe(before), after: describe(setting), isChecked },
        })
      })
      await settings.reload()
    },
  }
}

/** Null if the value is the built-in one, so that later changes of it apply. */
function valuesOf(instrument: Instrument, setting: InstrumentSetting): SettingValues {
  const defaults = defaultsOf(instrument)
  return {
    symbol: setting.symbol === defaults.symbol ? null : setting.symbol,
    widget: setting.widget === defaults.widget ? null : setting.widget,
    substitutes: isDeepStrictEqual(setting.substitutes, defaults.substitutes) ? null : setting.substitutes,
    first_chart: setting.firstChart,
    is_hidden: setting.isHidden,
  }
}

/** What the audit log records of a setting. */
function describe({ symbol, widget, substitutes, firstChart, isHidden }: InstrumentSetting): Record<string, unknown> {
  const others = substitutes.map((substitute) => `${substitute.symbol} (${substitute.title}, ${substitute.widget})`)
  return { symbol, widget, substitutes: others.join(', '), firstChart: firstChart ?? 'default', isHidden }
}
