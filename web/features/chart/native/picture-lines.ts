// Caption of a saved chart image: what it shows, from which source, and when, because an image is shared without its page.
import { stampText } from '#shared/base/clock.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badges.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import type { ShownMarket } from '#web/features/market-data/market-status-store.ts'

export interface PictureTexts {
  readonly instrument: Pick<Instrument, 'slug' | 'label' | 'name'>
  readonly timeframe: Timeframe
  /** Type of prices, and whether they were still updating when the image was taken. */
  readonly market: Pick<ShownMarket, 'condition' | 'isConnected'> | undefined
  /** Describes the adjustment; empty for unadjusted prices. */
  readonly adjusted: string
  /** IANA zone of the time axis. */
  readonly zone: string
}

export interface PictureLines {
  readonly title: string
  readonly name: string
  /** Badges, source, adjustment, date and time. */
  readonly facts: string
}

/** Caption of an image taken at a time of the server's clock. */
export function pictureLines({ instrument, timeframe, market, adjusted, zone }: PictureTexts, nowMs: number): PictureLines {
  const source = market?.condition.label?.source
  const facts = [
    market === undefined ? '' : badgesLine(feedBadges(market, { nowMs, zone })),
    source === undefined ? '' : chartText.sourceOf(source),
    adjusted,
    stampText(nowMs, zone),
  ]
  return {
    title: `${instrument.label}  ${timeframeLabel(timeframe)}`,
    name: instrument.name,
    facts: facts.filter((part) => part !== '').join('   '),
  }
}
