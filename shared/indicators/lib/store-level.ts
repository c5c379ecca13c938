// Keeps the strongest levels: near ones are merged, the weakest is removed.
import { type LevelList } from './level-list.ts'

export interface LevelRules {
  /** Levels this close, or closer, are merged. */
  brick: number
  readonly levelCount: number
}

/** A level to store; its owner may reuse the same record. */
export interface FoundLevel {
  price: number
  volume: number
  code: number
  index: number
}

/**
 * Adds a level. If another lies within one brick, the nearest of them is merged into it: prices weighted by volume,
 * volumes added, starting at the earlier bar. Then the one with the least volume is removed if there are too many.
 */
export function storeLevel(levels: LevelList, found: FoundLevel, { brick, levelCount }: LevelRules): void {
  let { price, volume, index } = found
  for (let near = findNearest(levels, price, brick); near >= 0; near = findNearest(levels, price, brick)) {
    const nearVolume = levels.volume[near] as number
    const total = volume + nearVolume
    const share = total > 0 ? nearVolume / total : 0.5
    price += ((levels.price[near] as number) - price) * share
    volume = total
    index = Math.min(index, levels.fromIndex[near] as number)
    dropLevel(levels, near)
  }
  const at = levels.count
  levels.price[at] = price
  levels.volume[at] = volume
  levels.fromIndex[at] = index
  levels.code[at] = found.code
  levels.count = at + 1
  if (levels.count > levelCount) dropLevel(levels, findWeakest(levels))
}

/** Removes a level; the others keep their order. */
export function dropLevel(levels: LevelList, gone: number): void {
  for (let at = gone + 1; at < levels.count; at += 1) {
    levels.fromIndex[at - 1] = levels.fromIndex[at] as number
    levels.price[at - 1] = levels.price[at] as number
    levels.volume[at - 1] = levels.volume[at] as number
    levels.code[at - 1] = levels.code[at] as number
  }
  levels.count -= 1
}

/** Sets each level's share of the total volume. */
export function setShares(levels: LevelList): void {
  let total = 0
  for (let at = 0; at < levels.count; at += 1) total += levels.volume[at] as number
  for (let at = 0; at < levels.count; at += 1) levels.share[at] = total > 0 ? (levels.volume[at] as number) / total : Number.NaN
}

function findNearest(levels: LevelList, price: number, brick: number): number {
  let nearest = -1
  let least = brick * (1 + 1e-9)
  for (let at = 0; at < levels.count; at += 1) {
    const apart = Math.abs((levels.price[at] as number) - price)
    if (apart > least) continue
    nearest = at
    least = apart
  }
  return nearest
}

function findWeakest(levels: LevelList): number {
  let weakest = 0
  for (let at = 1; at < levels.count; at += 1) if ((levels.volume[at] as number) < (levels.volume[weakest] as number)) weakest = at
  return weakest
}
