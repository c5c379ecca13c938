// Routes of the UDF endpoints.
import { preserializedJson } from '#server/http/preserialized-json.ts'
import type { Handlers, Incoming, KeySession } from '#server/http/serve.ts'
import { workTurns } from '#server/http/work-turns.ts'
import type { ReplyOf } from '#shared/http/route.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { udfRoutes } from '#shared/udf/contract.ts'
import type { CandleBudget } from '#server/features/market-data/history/candle-budget.ts'
import { marksOf, timescaleMarksOf } from './udf-marks.ts'
import { isIntraday, parseResolution, resolutions } from './udf-resolution.ts'
import { barsWantedAtMost, type Bars, type UdfService } from './udf-service.ts'
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

/** Cost of a quote in bars: it reads two days, and looks up its symbol. */
const quoteBars = 20

type UdfRoutes = typeof udfRoutes

/** They accept session and key authentication. */
type UdfHandlers = {
  readonly [Name in keyof UdfRoutes]: (
    incoming: Pick<Incoming<UdfRoutes[Name]>, 'query' | 'reply'> & { readonly session: KeySession },
  ) => ReturnType<Handlers<UdfRoutes>[Name]>
}

export function udfHandlers({ udf, budget }: { readonly udf: UdfService; readonly budget: CandleBudget }): UdfHandlers {
  return {
    config: () => Promise.resolve(config),
    symbols: ({ session, query }) => udf.symbol(session.user, query.symbol),
    search: ({ query }) => Promise.resolve(searchInstruments(query)),
    history: async ({ session, query, reply }) => {
      const { symbol, resolution, from, to, countback } = query
      const wanted = { symbol, resolution, from, to, countback }
      const call = { userId: session.user._id, bars: barsWantedAtMost(wanted), response: reply.raw }
      return preserializedJson(await budget.run(call, async () => historyJson(await udf.bars(session.user, wanted))))
    },
    time: () => Promise.resolve(udf.nowSeconds()),
    quotes: async ({ session, query, reply }) => {
      const call = { userId: session.user._id, bars: quoteBars * query.symbols.split(',').length, response: reply.raw }
      return { s: 'ok', d: await budget.run(call, () => udf.quotes(session.user, query.symbols)) }
    },
    marks: async ({ session, query }) => {
      const instrument = udf.instrument(session.user, query.symbol)
      return marksOf(instrument, wantedOf(query, await udf.adjustment(session.user, instrument)))
    },
    timescaleMarks: async ({ session, query }) => {
      const instrument = udf.instrument(session.user, query.symbol)
      return timescaleMarksOf(instrument, wantedOf(query, await udf.adjustment(session.user, instrument)))
    },
  }
}

interface MarksQuery {
  readonly from: number
  readonly to: number
  readonly resolution: string
}

function wantedOf({ from, to, resolution }: MarksQuery, adjustment: Adjustment) {
  return { from, to, isIntraday: isIntraday(parseResolution(resolution)), adjustment }
}

const turn = workTurns()
/** Bars serialized in one piece, within two or three milliseconds. */
const pieceBars = 2_000

/** Columns instead of rows, timestamps in seconds; long ones in pieces, so that other requests run in between. */
async function historyJson(bars: Bars & { readonly hasVolume: boolean }): Promise<string> {
  if (!('candles' in bars)) return JSON.stringify({ s: 'no_data', nextTime: bars.nextTime })
  const { candles, hasVolume } = bars
  const columns: Record<string, (candle: Candle) => number> = {
    t: ({ timeMs }) => timeMs / 1_000,
    o: ({ open }) => open,
    h: ({ high }) => high,
    l: ({ low }) => low,
    c: ({ close }) => close,
    ...(hasVolume ? { v: ({ volume }) => volume ?? 0 } : {}),
  }
  const pieces = Object.keys(columns).map((): string[] => [])
  for (let from = 0; from < candles.length; from += pieceBars) {
    if (from > 0) await turn()
    const piece = candles.slice(from, from + pieceBars)
    for (const [index, read] of Object.values(columns).entries()) pieces[index]?.push(piece.map(read).join(','))
  }
  return `{"s":"ok",${Object.keys(columns)
    .map((name, index) => `"${name}":[${pieces[index]?.join(',') ?? ''}]`)
    .join(',')}}`
}
