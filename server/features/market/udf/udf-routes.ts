// Contract to service for the chart protocol.
import { readyJson } from '#server/http/ready-json.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { ReplyOf } from '#shared/http/route.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { udfRoutes } from '#shared/udf/contract.ts'
import { marksOf, timescaleMarksOf } from './udf-marks.ts'
import { isIntraday, parseResolution, resolutions } from './udf-resolution.ts'
import type { Bars, UdfService } from './udf-service.ts'
import { searchInstruments } from './udf-symbols.ts'

const config: ReplyOf<typeof udfRoutes.config> = {
  supports_search: true,
  supports_group_request: false,
  supports_time: true,
  supports_marks: true,
  supports_timescale_marks: true,
  supported_resolutions: [...resolutions],
  exchanges: [
    { value: '', name: udfText.allExchanges, desc: '' },
    ...Object.entries(udfText.exchanges).map(([value, desc]) => ({ value, name: value, desc })),
  ],
  symbols_types: [{ value: '', name: udfText.allTypes }, ...Object.entries(udfText.types).map(([value, name]) => ({ value, name }))],
}

export function udfHandlers({ udf }: { readonly udf: UdfService }): Handlers<typeof udfRoutes> {
  return {
    config: () => Promise.resolve(config),
    symbols: ({ session, query }) => udf.symbol(session.user, query.symbol),
    search: ({ query }) => Promise.resolve(searchInstruments(query)),
    history: async ({ session, query }) => {
      const { symbol, resolution, from, to, countback } = query
      return readyJson(historyJson(await udf.bars(session.user, { symbol, resolution, from, to, countback })))
    },
    time: () => Promise.resolve(udf.nowSeconds()),
    quotes: async ({ session, query }) => ({ s: 'ok', d: await udf.quotes(session.user, query.symbols) }),
    marks: async ({ session, query }) => marksOf(udf.instrument(session.user, query.symbol), wantedOf(query)),
    timescaleMarks: async ({ session, query }) => timescaleMarksOf(udf.instrument(session.user, query.symbol), wantedOf(query)),
  }
}

function wantedOf({ from, to, resolution }: { readonly from: number; readonly to: number; readonly resolution: string }) {
  return { from, to, isIntraday: isIntraday(parseResolution(resolution)) }
}

/** Columns instead of rows, stamps in seconds. */
function historyJson(bars: Bars & { readonly hasVolume: boolean }): string {
  if (!('candles' in bars)) return JSON.stringify({ s: 'no_data', nextTime: bars.nextTime })
  const { candles, hasVolume } = bars
  return JSON.stringify({
    s: 'ok',
    t: candles.map(({ timeMs }) => timeMs / 1_000),
    o: candles.map(({ open }) => open),
    h: candles.map(({ high }) => high),
    l: candles.map(({ low }) => low),
    c: candles.map(({ close }) => close),
    ...(hasVolume ? { v: candles.map(({ volume }) => volume ?? 0) } : {}),
  })
}
