// What studies read besides the candles in view: shorter candles, daily candles, and as much history as they need.
import type { StudyPicture } from './study-picture.ts'
import { intrabarFollower, type IntrabarFollower, type IntrabarFollowerNeeds } from './follow-intrabars.ts'
import { officialFollower } from './follow-official.ts'

export interface StudyDataOptions extends IntrabarFollowerNeeds {
  /** The daily candles are there, or are others. */
  readonly onOfficial: () => void
  /** Loads history until the chart has this many bars, as far as there are any. */
  readonly wantBars: (count: number) => void
}

export function studyDataFollower(options: StudyDataOptions): IntrabarFollower {
  const inside = intrabarFollower(options)
  const official = officialFollower({ ...options, onData: options.onOfficial })
  return {
    follow(picture, seenFrom) {
      inside.follow(picture, seenFrom)
      official.follow(picture)
      options.wantBars(historyBarsOf(picture))
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

/** Most bars that one of the drawn studies needs. */
function historyBarsOf(picture: StudyPicture | undefined): number {
  const wishes = picture?.wishes.filter(({ isHidden }) => !isHidden) ?? []
  return Math.max(0, ...wishes.map(({ id, inputs }) => picture?.kit.studies[id].historyBars?.(inputs) ?? 0))
}
