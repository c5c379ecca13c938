// All that a chart library must know of a symbol before it draws: decimals, hours, and what its prices are.
import type { DataLabel } from '#shared/market/candles/candle.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { UdfSymbol } from '#shared/udf/contract.ts'
import type { ShownSource } from '../history/market-sources.ts'
import { intradayResolutions, resolutions } from './udf-resolution.ts'
import { udfSessionOf } from './udf-sessions.ts'
import { exchangeOf, fullNameOf, typeOf } from './udf-symbols.ts'

/** The symbol of an instrument as it is shown now; hours are those of the source, so that no candle falls outside them. */
export function symbolInfoOf(instrument: Instrument, { label, sessionClass }: ShownSource, nowMs: number): UdfSymbol {
  const scale = 10 ** instrument.priceDecimals
  const exchange = exchangeOf(instrument)
  const shown = instrument.isDailyOnly ? resolutions.filter((resolution) => !intradayResolutions.includes(resolution)) : resolutions
  return {
    name: instrument.label,
    full_name: fullNameOf(instrument),
    ticker: instrument.slug,
    description: describe(instrument, label),
    type: typeOf(instrument),
    exchange,
    listed_exchange: exchange,
    ...udfSessionOf(sessionClass, nowMs),
    minmov: Math.round(instrument.tickSize * scale),
    pricescale: scale,
    ...(instrument.currency === null ? {} : { currency_code: instrument.currency }),
    has_intraday: !instrument.isDailyOnly,
    intraday_multipliers: instrument.isDailyOnly ? [] : [...intradayResolutions],
    has_daily: true,
    daily_multipliers: ['1'],
    has_weekly_and_monthly: true,
    weekly_multipliers: ['1'],
    monthly_multipliers: ['1'],
    supported_resolutions: [...shown],
    visible_plots_set: instrument.hasVolume ? 'ohlcv' : 'ohlc',
    volume_precision: instrument.sessionClass === 'crypto' ? 8 : 0,
    data_status: statusOf(label),
    delay: (label?.delayMinutes ?? 0) * 60,
  }
}

/** The protocol has no field for where prices come from, and no price may be shown without it. */
function describe({ name }: Instrument, label: DataLabel | null): string {
  if (label === null) return `${name} (${udfText.noSource})`
  const words = {
    live: [label.source],
    demo: [udfText.demo],
    education: [label.source, udfText.education],
    delayed: [label.source, udfText.delayed(label.delayMinutes)],
    'end-of-day': [label.source, udfText.endOfDay],
  }[label.mode]
  return `${name} (${[...words, ...(label.proxy === null ? [] : [udfText.proxy(label.proxy)])].join(', ')})`
}

function statusOf(label: DataLabel | null): UdfSymbol['data_status'] {
  if (label?.mode === 'live' || label?.mode === 'demo') return 'streaming'
  return label?.mode === 'delayed' ? 'delayed_streaming' : 'endofday'
}
