// Badges of a market: type and freshness of its prices. No price is shown without them.
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { marketStateAt, type MarketState, openingTime } from '#shared/trading-hours/market-state.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { WidgetSupport } from './widget-support.ts'

export interface MarketBadge {
  readonly text: string
  /** For narrow layouts: the start of the text, if that is sufficient. */
  readonly shortText?: string
  readonly tone: 'ok' | 'warn' | 'danger' | 'plain'
  /** Explanation, if the text needs one. */
  readonly note?: string
}

export interface Moment {
  /** Epoch milliseconds, by the server's clock. */
  readonly nowMs: number
  /** IANA zone for opening times. */
  readonly zone: string
}

/** State of a market in our own feed. */
export interface FeedState {
  readonly condition: LiveCondition
  /** False while disconnected from our server. */
  readonly isConnected: boolean
}

/** State of a chart by the provider's widget. */
export interface WidgetState {
  readonly load: 'loading' | 'shown' | 'failed'
  readonly isOnline: boolean
  /** What the widget has of this symbol. */
  readonly carries: Exclude<WidgetSupport, 'none'>
  /** Trading hours of what is shown; undefined if unknown. */
  readonly sessionClass: SessionClass | undefined
  /** Substitute shown instead of the instrument, for example an ETF; null for the instrument itself. */
  readonly proxy: string | null
}

interface Facts extends Pick<DataLabel, 'mode' | 'delayMinutes' | 'proxy'> {
  /** Undefined if unknown: then nothing is said about being open or closed. */
  readonly sessionClass: SessionClass | undefined
  /** Why the last price may be stale; undefined if it is not. */
  readonly staleNote: string | undefined
}

export const connectingBadge: MarketBadge = { text: chartText.badgeConnecting, tone: 'plain' }

/** Badges of our own prices, type first; empty without prices. */
export function feedBadges({ condition, isConnected }: FeedState, moment: Moment): readonly MarketBadge[] {
  const { label, isStale, sessionClass } = condition
  if (label === null) return []
  const staleNote = isConnected ? (isStale ? chartText.staleFeed : undefined) : chartText.staleLine
  return badgesOf({ ...label, sessionClass, staleNote }, moment)
}

/** Badges of a chart by the widget; empty after an error, because a card is shown instead. */
export function widgetBadges({ load, isOnline, carries, sessionClass, proxy }: WidgetState, moment: Moment): readonly MarketBadge[] {
  if (load === 'failed') return []
  if (load === 'loading') return [connectingBadge]
  const staleNote = isOnline ? undefined : chartText.staleLine
  return badgesOf({ mode: carries, delayMinutes: 0, proxy, sessionClass, staleNote }, moment)
}

/** The texts of badges as one line. */
export function badgesLine(badges: readonly MarketBadge[]): string {
  return badges.map(({ text }) => text).join(', ')
}

function badgesOf(facts: Facts, moment: Moment): readonly MarketBadge[] {
  const { proxy, staleNote } = facts
  const badges = [...kindOf(facts, moment)]
  if (proxy !== null) badges.push({ text: chartText.badgeProxy(proxy), tone: 'warn' })
  if (staleNote !== undefined) badges.push({ text: chartText.badgeStale, tone: 'danger', note: staleNote })
  return badges
}

/** LIVE only while prices update: neither on a closed market nor together with STALE. */
function kindOf(facts: Facts, moment: Moment): readonly MarketBadge[] {
  const { mode, delayMinutes, staleNote } = facts
  const closed = closedBadges(facts, moment)
  switch (mode) {
    case 'live':
      return closed ?? (staleNote === undefined ? [{ text: chartText.badgeLive, tone: 'ok' }] : [])
    case 'delayed':
      return [{ text: delayText(delayMinutes), tone: 'warn' }, ...(closed ?? [])]
    case 'education':
      return [{ text: delayText(delayMinutes), tone: 'warn', note: chartText.educationNote }]
    case 'end-of-day':
      return [{ text: chartText.badgeEndOfDay, tone: 'warn' }]
    case 'demo':
    default:
      // An unknown type from a newer server is shown as demo, never as more.
      return [{ text: chartText.badgeDemo, tone: 'warn' }, ...(closed ?? [])]
  }
}

/** Delayed prices still move after the close, and start late after the opening. */
function closedBadges({ sessionClass, delayMinutes }: Facts, moment: Moment): readonly MarketBadge[] | undefined {
  // LIVE would be a guess as well.
  if (sessionClass === undefined) return []
  const state = marketStateAt(sessionClass, moment.nowMs)
  if (state.kind === 'open') return undefined
  if (delayMinutes > 0 && marketStateAt(sessionClass, moment.nowMs - delayMinutes * minuteMs).kind === 'open') return undefined
  return [closedBadge(state, moment.zone)]
}

function closedBadge({ opensAtMs, reason }: Extract<MarketState, { kind: 'closed' }>, zone: string): MarketBadge {
  return {
    text: opensAtMs === null ? chartText.badgeClosed : chartText.badgeClosedUntil(openingTime(opensAtMs, zone)),
    shortText: chartText.badgeClosed,
    tone: 'plain',
    ...(reason === null ? {} : { note: marketText.marketHoliday(reason) }),
  }
}

function delayText(minutes: number): string {
  const days = Math.floor((minutes * minuteMs) / dayMs)
  return days > 0 ? chartText.badgeDelayedDays(days) : chartText.badgeDelayed(minutes)
}
