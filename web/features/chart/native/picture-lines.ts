// Caption of a saved chart image: what it shows, from which source, and when, because an image is shared without its page.
import { stampText } from '#shared/base/clock-texts.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badge.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import type { BarTexts, LegendSnapshot } from './legend-snapshot.ts'
import type { StudyReading } from './studies/legend-values.ts'
import type { MarketStatus } from '#web/features/market-data/market-status.ts'

export interface PictureTexts {
  readonly instrument: Pick<Instrument, 'slug' | 'label' | 'name'>
  readonly timeframe: Timeframe
  /** Type of prices, and whether they were still updating when the image was taken. */
  readonly market: Pick<MarketStatus, 'condition' | 'isConnected'> | undefined
  /** Describes the adjustment; empty for unadjusted prices. */
  readonly adjusted: string
  /** IANA zone of the time axis. */
  readonly zone: string
  /** What the legend shows. */
  readonly frame: Pick<LegendSnapshot, 'bar' | 'studies'>
}

export interface PictureLines {
  readonly title: string
  readonly name: string
  /** Badges, source, adjustment, date and time. */
  readonly facts: string
  /** Time, prices, change and volume of the bar in the legend; empty without one. */
  readonly bar: readonly string[]
  /** Name and values of each visible study. */
  readonly studies: readonly string[]
}

/** Caption of an image taken at a time of the server's clock. */
export function pictureLines({ instrument, timeframe, market, adjusted, zone, frame }: PictureTexts, nowMs: number): PictureLines {
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
    facts: joined(facts, '   '),
    bar: frame.bar === undefined ? [] : barParts(frame.bar),
    studies: frame.studies.filter(({ isHidden }) => !isHidden).map(studyLine),
  }
}

function barParts({ moment, open, high, low, close, change, volume }: BarTexts): readonly string[] {
  const { legend } = chartText
  const prices = `${legend.open} ${open}  ${legend.high} ${high}  ${legend.low} ${low}  ${legend.close} ${close}`
  return [moment, prices, change, ...(volume === undefined ? [] : [`${legend.volume} ${volume}`])]
}

function studyLine({ name, summary, readings }: StudyReading): string {
  return joined([name, summary, ...readings.map(({ text }) => text)], ' ')
}

function joined(parts: readonly string[], gap: string): string {
  return parts.filter((part) => part !== '').join(gap)
}

/** Puts texts side by side into as few lines as fit. */
export function wrapped(texts: readonly string[], most: number, widthOf: (line: string) => number): readonly string[] {
  const lines: string[] = []
  for (const text of texts) {
    const longer = lines.length === 0 ? text : `${lines.at(-1)}   ${text}`
    if (lines.length > 0 && widthOf(longer) <= most) lines[lines.length - 1] = longer
    else lines.push(text)
  }
  return lines
}
