// What is written on a saved image of a chart: an image travels alone, so it says what it shows, from where, and when.
import { stampText } from '#shared/market/clock.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { badgesLine, feedBadges } from '#shared/market/market-badges.ts'
import { timeframeLabel, type Timeframe } from '#shared/market/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import type { ShownMarket } from '../shown-market.ts'

export interface PictureTexts {
  readonly instrument: Pick<Instrument, 'slug' | 'label' | 'name'>
  readonly timeframe: Timeframe
  /** What kind of prices these are, and whether they still came when the image was taken. */
  readonly market: Pick<ShownMarket, 'condition' | 'isConnected'> | undefined
  /** Says what the prices are adjusted for; empty where they are as they traded. */
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

/** The lines of an image that is taken at an instant of the server's clock. */
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
