// Detects whether the levels or corners of a study still look as drawn.
import type { LevelList } from '#shared/indicators/lib/level-list.ts'
import type { PointList } from '#shared/indicators/lib/point-list.ts'

/** A tick only changes the newest entries; lists that change as a whole are never longer than this. */
const newest = 512

/** A hash of the newest entries. */
export function listSignature(list: LevelList | PointList): number {
  const columns = Object.values(list).filter((column) => typeof column !== 'number')
  let sum = list.count
  for (const column of columns) {
    for (let at = Math.max(0, list.count - newest); at < list.count; at += 1) {
      const value = column[at] as number
      // Order matters: two swapped entries are a change.
      sum = (sum * 31 + (Number.isNaN(value) ? 1 : value)) % 1_000_003
    }
  }
  return sum
}
