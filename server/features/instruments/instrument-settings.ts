// Instrument settings after admin changes, cached for a few seconds.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import type { InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { defaultSubstitutesOf } from '#shared/chart/default-substitutes.ts'
import { readSettings, type SettingRow } from './settings-repository.ts'

/** Delay until changes by another process are visible. */
const maxAgeMs = 5_000
/** Once settings are known no caller waits longer for newer ones, and none for a read that takes longer. */
const patienceMs = 100

export interface InstrumentSettings {
  /** The setting of an instrument, at most five seconds old while the database answers. */
  of(instrument: Instrument): Promise<KnownSetting>
  hidden(): Promise<string[]>
  /** From the cache; refreshes it in the background if it is old. */
  isHidden(slug: string): boolean
  /** Reloads after a change by this process, so that the next call sees it. */
  reload(): Promise<void>
}

export type KnownSetting = InstrumentSetting & { readonly version: number }

export interface SettingsDeps {
  readonly db: Db
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export function instrumentSettings({ db, now, onError }: SettingsDeps): InstrumentSettings {
  let rows: ReadonlyMap<string, SettingRow> | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let waiting: Promise<unknown> | undefined
  /** Counts the changes by this process: a read that started before one is not cached. */
  let changes = 0

  const isOld = (): boolean => Math.abs(now() - readAtMs) > maxAgeMs

  async function read(): Promise<void> {
    const startMs = now()
    const changesBefore = changes
    const found = await readSettings(db)
    rows = new Map(found.map((row) => [row.slug, row]))
    if (changes === changesBefore) readAtMs = startMs
  }

  /** Concurrent callers share one read. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }

  function refreshSoon(): Promise<unknown> {
    const ended = refresh()
      .catch(onError)
      .finally(() => (waiting = undefined))
    return Promise.race([ended, delay(patienceMs, undefined, { ref: false })])
  }

  async function fresh(): Promise<ReadonlyMap<string, SettingRow>> {
    if (rows === undefined) await refresh()
    else if (isOld()) await (waiting ??= refreshSoon())
    return rows ?? new Map()
  }

  return {
    of: async (instrument) => settingOf(instrument, (await fresh()).get(instrument.slug)),
    hidden: async () => [...(await fresh()).values()].filter((row) => row.is_hidden).map(({ slug }) => slug),
    isHidden(slug) {
      if (isOld()) refresh().catch(onError)
      return rows?.get(slug)?.is_hidden === true
    },
    async reload() {
      changes += 1
      readAtMs = Number.NEGATIVE_INFINITY
      await reading?.catch(onError)
      await refresh().catch(onError)
    },
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
