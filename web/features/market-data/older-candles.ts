// Candles before those of the live connection, over HTTP.
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { marketDataRoutes } from '#shared/market-data/contract.ts'
import { call } from '#web/lib/api.ts'
import type { BackfillRequest, OlderCandles } from './candle-source.ts'
import { fixedPages, type PageQuery } from './fixed-pages.ts'

const pages = fixedPages()

/** Rejects when the candles are not available now. */
export function olderCandles(request: BackfillRequest): Promise<OlderCandles> {
  const { slug, timeframe, toMs, limit, adjustment = defaultAdjustment, isFixed } = request
  const fetchPage = async (query: Omit<PageQuery, 'pages'> & Partial<PageQuery>) =>
    (await call(marketDataRoutes.candles, { params: { slug }, query: { timeframe, adjustment, ...query } })).data
  return isFixed === true
    ? pages.older({ chart: `${slug} ${timeframe} ${adjustment}`, toMs, limit }, fetchPage)
    : fetchPage({ to: toMs, limit })
}
