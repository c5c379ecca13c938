// Lets the shorter candles inside the bars come while a study that reads them is drawn, and only then.
import type { Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { CandleSource } from '../candle-source.ts'
import type { ChartModel } from '../chart-model.ts'
import type { IntrabarFeed } from './intrabar-feed.ts'
import type { StudyPicture } from './study-picture.ts'

export interface IntrabarFollowerNeeds {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly source: CandleSource
  readonly model: ChartModel
  /** More is known of the forming bar; of other bars too where `isAll`. */
  readonly onData: (isAll: boolean) => void
}

export interface IntrabarFollower {
  /** Other studies are drawn; `seenFrom` is the first bar in view. */
  follow(picture: StudyPicture | undefined, seenFrom: number | undefined): void
  /** The chart has new bars, or other ones altogether. */
  align(isAll: boolean): void
  want(seenFrom: number | undefined): void
  stop(): void
}

export function intrabarFollower({ instrument, timeframe, source, model, onData }: IntrabarFollowerNeeds): IntrabarFollower {
  const { slug, hasVolume } = instrument
  const bars = () => model.store.bars
  let feed: IntrabarFeed | undefined

  function want(seenFrom: number | undefined): void {
    const fromMs = seenFrom === undefined ? undefined : bars().timeMs[Math.max(0, seenFrom)]
    if (fromMs !== undefined) feed?.want(fromMs)
  }

  return {
    follow(picture, seenFrom) {
      const isWanted = hasVolume && picture?.wishes.some(({ id, isHidden }) => id === 'volumeDelta' && !isHidden) === true
      if (isWanted === (feed !== undefined)) return
      feed?.stop()
      feed = isWanted ? picture?.kit.intrabarsOf({ slug, timeframe, source, bars, onData }) : undefined
      model.setIntrabars(feed?.columns)
      want(seenFrom)
    },
    align: (isAll) => feed?.align(isAll),
    want,
    stop: () => feed?.stop(),
  }
}
