// Candles before those of the live connection, over HTTP.
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { marketDataRoutes } from '#shared/market-data/contract.ts'
import { call } from '#web/lib/api.ts'
import type { BackfillRequest, OlderCandles } from './candle-source.ts'

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

interface OlderPage {
  readonly to: number
  readonly limit: number
  readonly edition: string
}

/** Query of the candles route. */
interface PageQuery {
  readonly to: number
  readonly limit: number
  readonly pages: 'fixed'
  readonly edition?: string
}

interface Page {
  readonly candles: readonly (readonly [timeMs: number, ...rest: unknown[]])[]
  readonly older?: OlderPage | null | undefined
}

interface PageRequest {
  /** What the candles belong to: instrument, timeframe and adjustment. */
  readonly chart: string
  readonly toMs: number
  readonly limit: number
}

/** Names of pages to remember; they are learned again from the server. */
const namesMax = 1_000

export function fixedPages() {
  const names = new Map<string, OlderPage>()
  const nameOf = (chart: string, toMs: number) => `${chart} ${toMs}`
  return {
    /** The page before `toMs`, by its edition if a page has named it. */
    async older<SomePage extends Page>(
      { chart, toMs, limit }: PageRequest,
      fetchPage: (query: PageQuery) => Promise<SomePage>,
    ): Promise<SomePage> {
      const named = names.get(nameOf(chart, toMs))
      const page = await fetchPage({ ...(named ?? { to: toMs, limit }), pages: 'fixed' })
      const [first] = page.candles
      if (names.size >= namesMax) names.clear()
      if (first !== undefined && page.older) names.set(nameOf(chart, first[0]), page.older)
      return page
    },
  }
}
