// Values of the instrument settings form: normalisation, required checks, validation errors.
import type { AdminInstrument, InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { WidgetSupport } from '#shared/chart/widget-support.ts'

/** Result of a symbol's preview. */
export type CheckResult = 'waiting' | 'loading' | 'ready' | 'no-data' | 'no-answer'

/** A symbol at the shortest timeframe that the widget should have for it. */
export interface SymbolCheck {
  readonly symbol: string
  readonly timeframe: Timeframe
}

export function settingOf({ symbol, widget, substitutes, firstChart, isHidden }: AdminInstrument): InstrumentSetting {
  return { symbol, widget, substitutes, firstChart, isHidden }
}

/** The setting as it is sent: symbols are trimmed and in upper case. */
export function normalizeSetting(setting: InstrumentSetting): InstrumentSetting {
  const substitutes = setting.substitutes.map((one) => ({ ...one, symbol: upper(one.symbol), title: one.title.trim() }))
  return { ...setting, symbol: upper(setting.symbol), substitutes }
}

/** Checks required before saving: symbols that are new, or for which more timeframes are claimed. */
export function checksOf(setting: InstrumentSetting, saved: InstrumentSetting): readonly SymbolCheck[] {
  const known = new Set(allChecks(saved).map((check) => checkKey(check)))
  return allChecks(setting).filter((check) => check.symbol !== '' && !known.has(checkKey(check)))
}

export function checkKey({ symbol, timeframe }: SymbolCheck): string {
  return `${symbol} ${timeframe}`
}

function allChecks({ symbol, widget, substitutes }: InstrumentSetting): readonly SymbolCheck[] {
  return [{ symbol, widget }, ...substitutes].flatMap((one) => {
    const timeframe = checkedAt[one.widget]
    return timeframe === undefined ? [] : [{ symbol: upper(one.symbol), timeframe }]
  })
}

const checkedAt: Readonly<Record<WidgetSupport, Timeframe | undefined>> = { live: '1', 'end-of-day': '1D', none: undefined }

function upper(symbol: string): string {
  return symbol.trim().toUpperCase()
}
