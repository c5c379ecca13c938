// Subscribes to intrabar candles only while a study that needs them is visible.
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import type { ChartModel } from '../chart-model.ts'
import { intrabarFeed, type IntrabarFeed } from './intrabar-feed.ts'
import type { StudyConfig } from './study-config.ts'

export interface IntrabarFollowerOptions {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly source: CandleSource
  readonly model: ChartModel
  /** More is known of the forming bar; with `isAll` of other bars too. */
  readonly onData: (isAll: boolean) => void
}

export interface IntrabarFollower {
  /** The visible studies have changed; `seenFrom` is the first visible bar. */
  follow(configs: readonly StudyConfig[], seenFrom: number | undefined): void
  /** Bars were appended, or with `isAll` replaced. */
  align(isAll: boolean): void
  want(seenFrom: number | undefined): void
  stop(): void
}

export function intrabarFollower({ instrument, timeframe, source, model, onData }: IntrabarFollowerOptions): IntrabarFollower {
  const { slug, hasVolume } = instrument
  const bars = () => model.store.bars
  let feed: IntrabarFeed | undefined

  function want(seenFrom: number | undefined): void {
    const fromMs = seenFrom === undefined ? undefined : bars().timeMs[Math.max(0, seenFrom)]
    if (fromMs !== undefined) feed?.want(fromMs)
  }

  return {
    follow(configs, seenFrom) {
      const isWanted = hasVolume && configs.some(({ id, isHidden }) => id === 'volumeDelta' && !isHidden)
      if (isWanted === (feed !== undefined)) return
      feed?.stop()
      feed = isWanted ? intrabarFeed({ slug, timeframe, source, bars, onData }) : undefined
      model.setIntrabars(feed?.columns)
      want(seenFrom)
    },
    align: (isAll) => feed?.align(isAll),
    want,
    stop: () => feed?.stop(),
  }
}
