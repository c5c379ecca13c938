// Loads the daily candles while pivots are drawn from daily-based values, and only then.
import type { OfficialColumns } from '#shared/market/indicators/study.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { CandleSource } from '../candle-source.ts'
import type { ChartModel } from '../chart-model.ts'
import type { OfficialFeed } from './official-periods.ts'
import type { StudyPicture } from './study-picture.ts'

export interface OfficialFollowerOptions {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly source: CandleSource
  readonly model: ChartModel
  readonly onData: () => void
}

export interface OfficialFollower {
  /** Other studies are drawn. */
  follow(picture: StudyPicture | undefined): void
  /** The chart has new bars, or other ones altogether. */
  align(isAll: boolean): void
  stop(): void
}

export function officialFollower({ instrument, timeframe, source, model, onData }: OfficialFollowerOptions): OfficialFollower {
  let feed: OfficialFeed | undefined
  let followed: string | undefined

  function align(isAll: boolean): void {
    const last = model.shown.bars.length - 1
    if (last >= 0) feed?.want(model.dayAt(last), isAll)
  }

  return {
    follow(picture) {
      const wish = picture?.wishes.find(({ id, isHidden }) => id === 'pivotpoint' && !isHidden)
      const wanted = wish === undefined ? undefined : JSON.stringify(wish.inputs)
      if (wanted === followed) return
      followed = wanted
      feed?.stop()
      model.setOfficial(undefined)
      const take = (official: OfficialColumns): void => {
        model.setOfficial(official)
        onData()
      }
      const { slug } = instrument
      feed = wish && picture?.kit.officialOf({ slug, timeframe, inputs: wish.inputs, source, onData: take })
      align(true)
    },
    align,
    stop: () => feed?.stop(),
  }
}
