// Instrument settings after admin changes, cached for a few seconds.
import { RevalidatedValue } from '#server/outages/revalidated-value.ts'
import type { Db } from '#server/db/database.ts'
import type { InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { defaultSubstitutesOf } from '#shared/chart/default-substitutes.ts'
import { readSettings, type SettingRow } from './repository.ts'

/** Delay until changes by another process are visible. */
const freshMs = 5_000

export type InstrumentSettings = ReturnType<typeof instrumentSettings>

export type KnownSetting = InstrumentSetting & { readonly version: number }

interface Deps {
  readonly db: Db
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export function instrumentSettings({ db, now, onError }: Deps) {
  const read = async () => new Map((await readSettings(db)).map((row) => [row.slug, row]))
  const rows = new RevalidatedValue({ read, freshMs, now, onError })
  return {
    /** The setting of an instrument, at most five seconds old while the database answers. */
    of: async (instrument: Instrument): Promise<KnownSetting> => settingOf(instrument, (await rows.get()).get(instrument.slug)),
    hidden: async (): Promise<string[]> => [...(await rows.get()).values()].filter((row) => row.is_hidden).map(({ slug }) => slug),
    /** From the cache; refreshes it in the background if it is old. */
    isHidden: (slug: string): boolean => rows.latest?.get(slug)?.is_hidden === true,
    /** Reloads after a change by this process, so that the next call sees it. */
    reload: (): Promise<void> => rows.reload(),
  }
}

/** The built-in values where no admin has changed them. */
export function settingOf(instrument: Instrument, row: SettingRow | undefined): KnownSetting {
  const defaults = defaultsOf(instrument)
  return {
    symbol: row?.symbol ?? defaults.symbol,
    widget: row?.widget ?? defaults.widget,
    substitutes: (row?.substitutes ?? defaults.substitutes).map((substitute) => ({
      ...substitute,
      sessionClass: substitute.sessionClass ?? null,
    })),
    firstChart: row?.first_chart ?? null,
    isHidden: row?.is_hidden ?? false,
    version: row?.version ?? 0,
  }
}

export function defaultsOf({ slug, symbol, widget }: Instrument): Pick<InstrumentSetting, 'symbol' | 'widget' | 'substitutes'> {
  return { symbol, widget, substitutes: [...defaultSubstitutesOf(slug)] }
}
