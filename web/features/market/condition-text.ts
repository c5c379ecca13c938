// The state of a market as words: no price stands on a screen without them.
import type { DataLabel } from '#shared/market/candles/candle.ts'
import { chartText } from '#shared/text/en/chart.ts'
import type { ShownMarket } from './shown-market.ts'

export interface Badge {
  readonly text: string
  readonly tone: 'ok' | 'warn' | 'danger' | 'plain'
  /** What it means, where its word does not say it all. */
  readonly note?: string
}

const dayMinutes = 1_440

/** The badges of a market, the kind of its prices first; none where nobody has prices. */
export function badgesOf({ condition, isConnected }: Pick<ShownMarket, 'condition' | 'isConnected'>): readonly Badge[] {
  const { label, isStale } = condition
  if (label === null) return []
  const badges: Badge[] = [kindOf(label)]
  if (label.proxy !== null) badges.push({ text: chartText.badgeProxy(label.proxy), tone: 'warn' })
  if (!isConnected) badges.push({ text: chartText.badgeStale, tone: 'danger', note: chartText.staleLine })
  else if (isStale) badges.push({ text: chartText.badgeStale, tone: 'danger', note: chartText.staleFeed })
  return badges
}

function kindOf({ mode, delayMinutes }: DataLabel): Badge {
  switch (mode) {
    case 'live':
      return { text: chartText.badgeLive, tone: 'ok' }
    case 'delayed':
      return { text: chartText.badgeDelayed(delayMinutes), tone: 'warn' }
    case 'end-of-day':
      return { text: chartText.badgeEndOfDay, tone: 'warn' }
    case 'education':
      return { text: chartText.badgeEducation(Math.round(delayMinutes / dayMinutes)), tone: 'warn' }
    case 'demo':
      return { text: chartText.badgeDemo, tone: 'warn' }
    default:
      // A kind that this page does not know yet is no reason to show it as more than a demo.
      return { text: chartText.badgeDemo, tone: 'warn' }
  }
}
