// Loads the daily candles only while pivots with daily-based values are visible.
import type { OfficialColumns } from '#shared/indicators/lib/study.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import type { ChartModel } from '../chart-model.ts'
import { officialFeed, type OfficialFeed } from './official-periods.ts'
import type { StudyConfig } from './study-config.ts'

export interface OfficialFollowerOptions {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly source: CandleSource
  readonly model: ChartModel
  readonly onData: () => void
}

export interface OfficialFollower {
  /** The visible studies have changed. */
  follow(configs: readonly StudyConfig[]): void
  /** Bars were appended, or with `isAll` replaced. */
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
    follow(configs) {
      const config = configs.find(({ id, isHidden }) => id === 'pivotpoint' && !isHidden)
      const wanted = config === undefined ? undefined : JSON.stringify(config.inputs)
      if (wanted === followed) return
      followed = wanted
      feed?.stop()
      model.setOfficial(undefined)
      const take = (official: OfficialColumns): void => {
        model.setOfficial(official)
        onData()
      }
      const { slug } = instrument
      feed = config && officialFeed({ slug, timeframe, inputs: config.inputs, source, onData: take })
      align(true)
    },
    align,
    stop: () => feed?.stop(),
  }
}
