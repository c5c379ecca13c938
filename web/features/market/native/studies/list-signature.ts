// Whether the levels or corners of a study still look as they were drawn.
import type { LevelList, PointList } from '#shared/market/indicators/lists.ts'

/** A tick changes the newest ones; none of our lists that change as a whole is longer. */
const newest = 512

/** A number that is another where any of the newest entries is. */
export function listSignature(list: LevelList | PointList): number {
  const columns = Object.values(list).filter((column) => typeof column !== 'number')
  let sum = list.count
  for (const column of columns) {
    for (let at = Math.max(0, list.count - newest); at < list.count; at += 1) {
      const value = column[at] as number
      // Not a plain sum: two entries that change places are a change.
      sum = (sum * 31 + (Number.isNaN(value) ? 1 : value)) % 1_000_003
    }
  }
  return sum
}
