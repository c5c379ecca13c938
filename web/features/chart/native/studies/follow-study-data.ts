// Loads what studies need besides the visible candles: intrabar candles, daily candles and older history.
import { studies } from '#shared/indicators/studies.ts'
import { intrabarFollower, type IntrabarFollower, type IntrabarFollowerOptions } from './intrabar-loader.ts'
import { officialFollower } from './follow-official.ts'
import type { StudyConfig } from './study-config.ts'

export interface StudyDataOptions extends IntrabarFollowerOptions {
  /** The daily candles have loaded or changed. */
  readonly onOfficial: () => void
  /** Loads history until the chart has this many bars, as far as it exists. */
  readonly wantBars: (count: number) => void
}

export type StudyDataFollower = IntrabarFollower

export function studyDataFollower(options: StudyDataOptions): StudyDataFollower {
  const inside = intrabarFollower(options)
  const official = officialFollower({ ...options, onData: options.onOfficial })
  return {
    follow(configs, seenFrom) {
      inside.follow(configs, seenFrom)
      official.follow(configs)
      options.wantBars(historyBarsOf(configs))
    },
    align(isAll) {
      inside.align(isAll)
      official.align(isAll)
    },
    want: (seenFrom) => inside.want(seenFrom),
    stop() {
      inside.stop()
      official.stop()
    },
  }
}

/** The most bars that a visible study needs. */
function historyBarsOf(configs: readonly StudyConfig[]): number {
  const visible = configs.filter(({ isHidden }) => !isHidden)
  return Math.max(0, ...visible.map(({ id, inputs }) => studies[id].historyBars?.(inputs) ?? 0))
}
