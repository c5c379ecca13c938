// UDF symbol info: decimals, hours, and the kind of prices.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { UdfSymbol } from '#shared/udf/contract.ts'
import type { SourceName } from '#server/features/market-data/feed.ts'
import type { ShownSource } from '#server/features/market-data/history/market-sources.ts'
import { intradayResolutions, resolutions } from './udf-resolution.ts'
import { udfSessionOf } from './udf-sessions.ts'
import { exchangeOf, fullNameOf, typeOf } from './udf-symbols.ts'

export interface ShownPrices extends ShownSource {
  readonly adjustment: Adjustment
}

/** The symbol of an instrument as currently shown; hours are those of the source, so that no candle is outside them. */
export function symbolInfoOf(instrument: Instrument, shownPrices: ShownPrices, nowMs: number): UdfSymbol {
  const { source, label, sessionClass } = shownPrices
  const scale = 10 ** instrument.priceDecimals
  const exchange = exchangeOf(instrument)
  return {
    name: instrument.label,
    full_name: fullNameOf(instrument),
    ticker: instrument.slug,
    description: describe(instrument, shownPrices),
    type: typeOf(instrument),
    exchange,
    listed_exchange: exchange,
    ...udfSessionOf(sessionClass, nowMs),
    minmov: Math.round(instrument.tickSize * scale),
    pricescale: scale,
    ...(instrument.currency === null ? {} : { currency_code: instrument.currency }),
    has_intraday: true,
    intraday_multipliers: [...intradayResolutions],
    has_daily: true,
    daily_multipliers: ['1'],
    has_weekly_and_monthly: true,
    weekly_multipliers: ['1'],
    monthly_multipliers: ['1'],
    supported_resolutions: [...resolutions],
    visible_plots_set: instrument.hasVolume ? 'ohlcv' : 'ohlc',
    volume_precision: instrument.sessionClass === 'crypto' ? 8 : 0,
    data_status: statusOf(source, label),
    delay: (label?.delayMinutes ?? 0) * 60,
  }
}

/** The protocol has no field for the price source, and no price may be shown without it. */
function describe({ name }: Instrument, { label, adjustment, isStale }: ShownPrices): string {
  if (label === null) return `${name} (${udfText.noSource})`
  const words = {
    live: [label.source],
    demo: [udfText.demo],
    education: [label.source, udfText.delayedDays(Math.floor((label.delayMinutes * minuteMs) / dayMs)), udfText.education],
    delayed: [label.source, udfText.delayed(label.delayMinutes)],
    'end-of-day': [label.source, udfText.endOfDay],
  }[label.mode]
  const proxy = label.proxy === null ? [] : [udfText.proxy(label.proxy)]
  const adjusted = adjustment === 'none' ? [] : [udfText.adjusted[adjustment]]
  return `${name} (${[...words, ...proxy, ...adjusted, ...(isStale ? [udfText.stale] : [])].join(', ')})`
}

/**
 * Protocol values: `streaming` is real-time market data, `delayed_streaming` the same with a `delay`,
 * `pulsed` is updated at intervals, `endofday` once a day. Generated prices are never real-time data.
 */
function statusOf(source: SourceName | null, label: DataLabel | null): UdfSymbol['data_status'] {
  switch (label?.mode) {
    case 'live':
      // The only polled source.
      return source === 'yahoo' ? 'pulsed' : 'streaming'
    case 'demo':
      return 'pulsed'
    case 'delayed':
    case 'education':
      return 'delayed_streaming'
    case 'end-of-day':
    case undefined:
    default:
      return 'endofday'
  }
}
