// The candles of an instrument for one user, as the preserialized response.
import { hash } from 'node:crypto'
import { dayMs } from '#shared/base/durations.ts'
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { MissingCandles } from '#shared/chart/missing-candles.ts'
import { AppError } from '#shared/http/app-error.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { findAccessRestriction, type Person } from '#shared/users/access-restriction.ts'
import type { SourceName } from '../feed.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { User } from '#shared/users/user.ts'
import type { CandleHistory } from './candle-history.ts'

/** The current source of a series. Source and label are null together. */
export interface ShownSource {
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of the shown instrument: a demo or a proxy may have other hours. */
  readonly sessionClass: SessionClass
  /** Why there is no source, or a fallback; null if all is well. User-facing. */
  readonly reason: string | null
}

export interface MarketSources {
  /** The current source of a series; an unknown series has no source and does not reject. */
  sourceOf(series: string): Promise<ShownSource>
}

/** Whether an admin has hidden an instrument. */
export type IsHidden = (slug: string) => boolean

/** Where a user's candles come from. */
export interface ShownMarket {
  readonly sources: MarketSources
  readonly history: CandleHistory
  readonly isHidden: IsHidden
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The market of a viewer's own broker for an instrument; undefined if the viewer sees the shared one. */
interface OwnShownMarket extends Pick<ShownMarket, 'sources' | 'history'> {
  /** The newest candles of a series that stay missing. */
  missing(series: string): Promise<MissingCandles[]>
}

export type BrokerMarketOf = (viewer: User, instrument: Instrument) => Promise<OwnShownMarket | undefined>

export interface CandlesRequest {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Epoch milliseconds; undefined for the newest. */
  readonly toMs: number | undefined
  readonly limit: number
  readonly adjustment: Adjustment
}

export type CandlesService = ReturnType<typeof candlesService>

export interface CacheablePage {
  readonly pieces: readonly Buffer[]
  /** What the page is made of and who may see it; undefined if it may change. */
  readonly edition: string | undefined
  /** Changes with the body. */
  readonly version: string
}

/** Later than any candle: requests the newest. */
const aheadMs = 7 * dayMs

export function candlesService(shared: ShownMarket, brokerMarketOf: BrokerMarketOf) {
  const { isHidden, now } = shared
  async function shownTo(viewer: User, { slug, adjustment: requested }: CandlesRequest) {
    const instrument = entitledInstrument(viewer, slug, isHidden)
    const { series } = instrument
    const own = await brokerMarketOf(viewer, instrument)
    const { sources, history } = own ?? shared
    const { source, label, sessionClass, reason } = await sources.sourceOf(series)
    const adjustment = source === 'demo' ? 'none' : effectiveAdjustment(series, requested, now())
    return { history, source, sessionClass, isOwn: own !== undefined, instrument, head: { series, source, label, reason, adjustment } }
  }

  /**
   * Body of the route `candles` in pieces, because joining a large body is slower than building it.
   * Rejects with `not-found` for an unknown slug and `forbidden` for one that needs premium.
   */
  async function candlesJson(viewer: User, request: CandlesRequest): Promise<Buffer[]> {
    const { head, history, source, sessionClass } = await shownTo(viewer, request)
    if (source === null || head.label === null) return bodyOf(head, { pieces: [], hasOlder: false }, now())
    const { series, adjustment } = head
    const { timeframe, toMs = now() + aheadMs, limit } = request
    return bodyOf(head, await history.rows({ series, source, sessionClass, timeframe, adjustment, toMs, limit }), now())
  }

  return {
    candlesJson,
    /** The same from a fixed time on. Rejects likewise. */
    async fixedPage(viewer: User, request: CandlesRequest): Promise<CacheablePage> {
      const { head, history, source, sessionClass, isOwn, instrument } = await shownTo(viewer, request)
      // Prices of a user's own broker are nobody else's.
      if (source === null || head.label === null || isOwn)
        return { pieces: await candlesJson(viewer, request), edition: undefined, version: '' }
      const { series, adjustment } = head
      const { timeframe, toMs = now() + aheadMs, limit } = request
      const page = await history.fixedRows({ series, source, sessionClass, timeframe, adjustment, toMs, limit })
      const { pieces, hasOlder, startsAtMs, edition } = page
      const sealed = (of: string) =>
        `${instrument.isFree ? 'free' : 'premium'}-${hash('sha256', JSON.stringify([head, timeframe, of]), 'base64url').slice(0, 32)}`
      const older = page.older === undefined ? null : { to: page.older.toMs, limit, edition: sealed(page.older.edition) }
      return {
        pieces: bodyOf(head, { pieces, hasOlder, startsAtMs, older }, now()),
        edition: edition === undefined ? undefined : sealed(edition),
        version: `${edition} ${older?.edition}`,
      }
    },
  }
}

/** The instrument of a slug. Throws `not-found` for an unknown or hidden one, `forbidden` if it needs premium. */
export function entitledInstrument(viewer: Person, slug: string, isHidden: IsHidden): Instrument {
  const instrument = findInstrument(slug)
  if (instrument === undefined || isHidden(slug)) throw new AppError('not-found', 'instruments.unknown')
  if (findAccessRestriction(instrument.isFree ? 'signed-in' : 'premium', viewer) !== undefined)
    throw new AppError('forbidden', 'http.premiumRequired')
  return instrument
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
  readonly older?: { readonly to: number; readonly limit: number; readonly edition: string } | null
}

function bodyOf(head: Head, { pieces, ...ends }: Rows, nowMs: number): Buffer[] {
  const start = JSON.stringify(head).slice(0, -1)
  return [
    Buffer.from(`{"success":true,"data":${start},"candles":[`),
    ...pieces,
    Buffer.from(`],${JSON.stringify({ ...ends, nowMs }).slice(1)}}`),
  ]
}
