// The form of an instrument's setting as values: what has to be checked, and what is wrong.
import type { AdminInstrument, InstrumentSetting } from '#shared/market/instruments-contract.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { WidgetSupport } from '#shared/market/widget-support.ts'

/** What became of a symbol in the preview. */
export type CheckResult = 'waiting' | 'loading' | 'ready' | 'no-data' | 'no-answer'

/** A symbol at the shortest timeframe that the widget is said to have of it. */
export interface SymbolCheck {
  readonly symbol: string
  readonly timeframe: Timeframe
}

export function settingOf({ symbol, widget, substitutes, firstChart, isHidden }: AdminInstrument): InstrumentSetting {
  return { symbol, widget, substitutes, firstChart, isHidden }
}

/** As it is sent: symbols are written in upper case. */
export function trimmed(setting: InstrumentSetting): InstrumentSetting {
  const substitutes = setting.substitutes.map(({ symbol, title, widget }) => ({ symbol: upper(symbol), title: title.trim(), widget }))
  return { ...setting, symbol: upper(setting.symbol), substitutes }
}

/** What the widget has to show before the setting is saved: symbols that are new, or that it is said to show more of. */
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
