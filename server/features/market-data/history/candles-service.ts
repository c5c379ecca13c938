// The candles of an instrument for one user, as the preserialized response.
import { dayMs } from '#shared/base/durations.ts'
import { effectiveAdjustment } from '#shared/candles/adjustment.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { User } from '#shared/users/user.ts'
import type { CandleHistory } from './candle-history.ts'
import { entitledInstrument, type IsHidden } from './require-instrument-access.ts'
import type { MarketSources } from './market-sources.ts'

/** Where a user's candles come from. */
export interface ShownMarket {
  readonly sources: MarketSources
  readonly history: CandleHistory
  readonly isHidden: IsHidden
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The market of a viewer's own broker for an instrument; undefined if the viewer sees the shared one. */
export type OwnMarketOf = (viewer: User, instrument: Instrument) => Promise<Pick<ShownMarket, 'sources' | 'history'> | undefined>

export interface CandlesWanted {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Epoch milliseconds; undefined for the newest. */
  readonly toMs: number | undefined
  readonly limit: number
  readonly adjustment: Adjustment
}

export interface CandlesService {
  /**
   * Body of the route `candles` in pieces, because joining a large body is slower than building it.
   * Rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium.
   */
  candlesJson(viewer: User, wanted: CandlesWanted): Promise<readonly Buffer[]>
}

/** Later than any candle: requests the newest. */
const aheadMs = 7 * dayMs

export function candlesService(shared: ShownMarket, ownMarketOf: OwnMarketOf): CandlesService {
  const { isHidden, now } = shared
  return {
    async candlesJson(viewer, { slug, timeframe, toMs = now() + aheadMs, limit, adjustment: wanted }) {
      const instrument = entitledInstrument(viewer, slug, isHidden)
      const { series } = instrument
      const { sources, history } = (await ownMarketOf(viewer, instrument)) ?? shared
      const { source, label, sessionClass, reason } = await sources.sourceOf(series)
      const adjustment = source === 'demo' ? 'none' : effectiveAdjustment(series, wanted, now())
      const head = { series, source, label, reason, adjustment }
      if (source === null || label === null) return bodyOf(head, { pieces: [], hasOlder: false }, now())
      return bodyOf(head, await history.rows({ series, source, sessionClass, timeframe, adjustment, toMs, limit }), now())
    },
  }
}

interface Head {
  readonly series: string
  readonly source: string | null
  readonly label: DataLabel | null
  readonly reason: string | null
  readonly adjustment: Adjustment
}

interface Rows {
  readonly pieces: readonly Buffer[]
  readonly hasOlder: boolean
  readonly startsAtMs?: number | null
}

function bodyOf(head: Head, { pieces, ...ends }: Rows, nowMs: number): Buffer[] {
  const start = JSON.stringify(head).slice(0, -1)
  return [
    Buffer.from(`{"success":true,"data":${start},"candles":[`),
    ...pieces,
    Buffer.from(`],${JSON.stringify({ ...ends, nowMs }).slice(1)}}`),
  ]
}
