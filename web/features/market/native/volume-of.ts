// The volume of several bars together.
import type { BarColumns } from '#shared/market/indicators/columns.ts'

/** What was traded in some bars, as far as it is known. */
export function volumeOf({ volume }: BarColumns, from: number, to: number): number {
  let sum = Number.NaN
  for (let index = from; index < to; index += 1) {
    const value = volume[index] as number
    if (!Number.isNaN(value)) sum = Number.isNaN(sum) ? value : sum + value
  }
  return sum
}
