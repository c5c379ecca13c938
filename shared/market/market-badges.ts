// The badges of a market: what its prices are and how fresh. No price is shown without them.
import { chartText } from '#shared/text/en/chart.ts'
import { marketText } from '#shared/text/en/market.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import type { DataLabel } from './candles/candle.ts'
import type { LiveCondition } from './live.ts'
import { marketStateAt, type MarketState } from './sessions/market-hours.ts'
import { openingTime } from './sessions/opening-time.ts'
import type { SessionClass } from './sessions/session-class.ts'
import type { WidgetSupport } from './widget-support.ts'

export interface Badge {
  readonly text: string
  /** For narrow places: the beginning of the text, where that says enough. */
  readonly shortText?: string
  readonly tone: 'ok' | 'warn' | 'danger' | 'plain'
  /** What it means, where its word does not say it all. */
  readonly note?: string
}

export interface Moment {
  /** Epoch milliseconds, by the server's clock. */
  readonly nowMs: number
  /** IANA zone of the clock on which an opening is told. */
  readonly zone: string
}

/** What our own feed knows of a market. */
export interface FeedState {
  readonly condition: LiveCondition
  /** False while the connection to our server is lost. */
  readonly isConnected: boolean
}

/** What is known of a chart by the provider's widget. */
export interface WidgetState {
  readonly load: 'loading' | 'shown' | 'failed'
  readonly isOnline: boolean
  /** What the widget carries of this symbol. */
  readonly carries: Exclude<WidgetSupport, 'none'>
  readonly sessionClass: SessionClass
  /** What is shown in place of the instrument, such as an ETF; null where it is the instrument itself. */
  readonly proxy: string | null
}

interface Facts extends Pick<DataLabel, 'mode' | 'delayMinutes' | 'proxy'> {
  readonly sessionClass: SessionClass
  /** False where something else is shown that may trade at other hours: then a closed market says nothing. */
  readonly areHoursKnown: boolean
  /** Why the last price may be old; undefined where it is not. */
  readonly staleNote: string | undefined
}

export const connectingBadge: Badge = { text: chartText.badgeConnecting, tone: 'plain' }

/** The badges of our own prices, their kind first; none where there are no prices. */
export function feedBadges({ condition, isConnected }: FeedState, moment: Moment): readonly Badge[] {
  const { label, isStale, sessionClass } = condition
  if (label === null) return []
  const staleNote = isConnected ? (isStale ? chartText.staleFeed : undefined) : chartText.staleLine
  return badgesOf({ ...label, sessionClass, areHoursKnown: true, staleNote }, moment)
}

/** The badges of a chart by the widget; none where it failed, because a card is shown instead. */
export function widgetBadges({ load, isOnline, carries, sessionClass, proxy }: WidgetState, moment: Moment): readonly Badge[] {
  if (load === 'failed') return []
  if (load === 'loading') return [connectingBadge]
  const staleNote = isOnline ? undefined : chartText.staleLine
  return badgesOf({ mode: carries, delayMinutes: 0, proxy, sessionClass, areHoursKnown: proxy === null, staleNote }, moment)
}

/** The texts of badges as one line. */
export function badgesLine(badges: readonly Badge[]): string {
  return badges.map(({ text }) => text).join(', ')
}

function badgesOf(facts: Facts, moment: Moment): readonly Badge[] {
  const { proxy, staleNote } = facts
  const badges = [...kindOf(facts, moment)]
  if (proxy !== null) badges.push({ text: chartText.badgeProxy(proxy), tone: 'warn' })
  if (staleNote !== undefined) badges.push({ text: chartText.badgeStale, tone: 'danger', note: staleNote })
  return badges
}

/** LIVE only while prices come: neither on a closed market nor beside STALE. */
function kindOf(facts: Facts, moment: Moment): readonly Badge[] {
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
      // A kind that this page does not know yet is no reason to show it as more than a demo.
      return [{ text: chartText.badgeDemo, tone: 'warn' }, ...(closed ?? [])]
  }
}

/** Prices that come late still move after the close, and rest a while after the opening. */
function closedBadges({ sessionClass, areHoursKnown, delayMinutes }: Facts, moment: Moment): readonly Badge[] | undefined {
  const state = marketStateAt(sessionClass, moment.nowMs)
  if (state.kind === 'open') return undefined
  if (delayMinutes > 0 && marketStateAt(sessionClass, moment.nowMs - delayMinutes * minuteMs).kind === 'open') return undefined
  return areHoursKnown ? [closedBadge(state, moment.zone)] : []
}

function closedBadge({ opensAtMs, reason }: Extract<MarketState, { kind: 'closed' }>, zone: string): Badge {
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
