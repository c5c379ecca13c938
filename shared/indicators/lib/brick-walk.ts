// Renko bricks from closes, and the levels where their colour changed.
import { dropLevel, setShares, storeLevel, type FoundLevel, type LevelRules } from './store-level.ts'
import { createLevelList, type LevelList } from './level-list.ts'

/** Indexes into the numbers of a walk; edges count bricks from the base price, which is a multiple of the brick size. */
const base = 0
const edge = 1
/** 1 up, -1 down, 0 before the first brick. */
const direction = 2
/** Volume since the last brick, and of the bricks since the last colour change. */
const carried = 3
const swing = 4
const edgeIndex = 5
/** Closes between these two change nothing. */
const belowAt = 6
const aboveAt = 7
/** A close at or beyond these breaks a level, upwards or downwards. */
const breakUpAt = 8
const breakDownAt = 9
const placeCount = 10

const resistanceCode = 0
const supportCode = 1

/** Floating point tolerance of price sums, in bricks. */
const tolerance = 1e-9

/** State of a walk over closes: its numbers and the levels found so far. */
export interface BrickWalk {
  readonly numbers: Float64Array
  readonly levels: LevelList
  /** Reused for each level that is found. */
  readonly found: FoundLevel
}

export interface Close {
  index: number
  price: number
  /** Volume of the bar, or its replacement. */
  weight: number
}

export function createBrickWalk(levelCount: number): BrickWalk {
  const found = { price: Number.NaN, volume: Number.NaN, code: 0, index: 0 }
  return { numbers: new Float64Array(placeCount), levels: createLevelList(levelCount + 1), found }
}

export function clearWalk({ numbers, levels }: BrickWalk): void {
  numbers.fill(0)
  numbers[base] = Number.NaN
  levels.count = 0
  numbers[breakUpAt] = Number.POSITIVE_INFINITY
  numbers[breakDownAt] = Number.NEGATIVE_INFINITY
}

/** Whether a close would form no brick and break no level. */
export function isCalm({ numbers }: BrickWalk, price: number): boolean {
  return price < (numbers[belowAt] as number) && price > (numbers[aboveAt] as number)
}

/** Closes below this, and above `calmAbove`, are calm. */
export function calmBelow({ numbers }: BrickWalk): number {
  return numbers[belowAt] as number
}

export function calmAbove({ numbers }: BrickWalk): number {
  return numbers[aboveAt] as number
}

/** Adds the volume of calm bars to the next bricks. */
export function carry({ numbers }: BrickWalk, weight: number): void {
  numbers[carried] = (numbers[carried] as number) + weight
}

/** Copies one walk to another. */
export function copyWalk(from: BrickWalk, to: BrickWalk): void {
  to.numbers.set(from.numbers)
  to.levels.count = from.levels.count
  for (let at = 0; at < from.levels.count; at += 1) {
    to.levels.fromIndex[at] = from.levels.fromIndex[at] as number
    to.levels.price[at] = from.levels.price[at] as number
    to.levels.volume[at] = from.levels.volume[at] as number
    to.levels.code[at] = from.levels.code[at] as number
  }
}

/**
 * Processes a close. An up brick needs a close one brick above the last edge, a colour change two. The
 * weight is added to the bricks that the bar forms, or kept for the next ones. Before that, levels that the close exceeds by a brick
 * are dropped; a colour change stores the edge with the weight of the finished swing.
 */
export function walkClose(walk: BrickWalk, { index, price, weight }: Close, rules: LevelRules): void {
  const { numbers } = walk
  if (Number.isNaN(numbers[base])) numbers[base] = Math.round(price / rules.brick) * rules.brick
  if (isCalm(walk, price)) {
    numbers[carried] = (numbers[carried] as number) + weight
    return
  }
  if (price >= (numbers[breakUpAt] as number) || price <= (numbers[breakDownAt] as number)) dropPassed(walk, price, rules.brick)
  const way = numbers[direction] as number
  const last = numbers[edge] as number
  const reached = (price - (numbers[base] as number)) / rules.brick
  const isUp = reached >= last + (way < 0 ? 2 : 1) - tolerance
  const isDown = reached <= last - (way > 0 ? 2 : 1) + tolerance
  const volume = (numbers[carried] as number) + weight
  if (isUp || isDown) {
    const newWay = isUp ? 1 : -1
    if (way === -newWay) storeTurn(walk, isUp ? supportCode : resistanceCode, rules)
    numbers[direction] = newWay
    numbers[edge] = isUp ? Math.floor(reached + tolerance) : Math.ceil(reached - tolerance)
    numbers[edgeIndex] = index
    numbers[swing] = (numbers[swing] as number) + volume
  }
  numbers[carried] = isUp || isDown ? 0 : volume
  findCalm(numbers, rules.brick)
}

/** Stores the edge where the colour changed, with the weight of the swing that ended there. */
function storeTurn({ numbers, levels, found }: BrickWalk, code: number, rules: LevelRules): void {
  found.price = priceOf(numbers, numbers[edge] as number, rules.brick)
  found.volume = numbers[swing] as number
  found.code = code
  found.index = numbers[edgeIndex] as number
  storeLevel(levels, found, rules)
  numbers[swing] = 0
  findBreaks(numbers, levels, rules.brick)
}

function dropPassed({ numbers, levels }: BrickWalk, price: number, brick: number): void {
  for (let at = levels.count - 1; at >= 0; at -= 1) {
    const beyond = (price - (levels.price[at] as number)) * (levels.code[at] === resistanceCode ? 1 : -1)
    if (beyond >= brick * (1 - tolerance)) dropLevel(levels, at)
  }
  findBreaks(numbers, levels, brick)
}

function priceOf(numbers: Float64Array, edgeCount: number, brick: number): number {
  return (numbers[base] as number) + edgeCount * brick
}

/** Where the nearest levels break, a little before the exact price. Only a change of the levels moves it. */
function findBreaks(numbers: Float64Array, levels: LevelList, brick: number): void {
  let up = Number.POSITIVE_INFINITY
  let down = Number.NEGATIVE_INFINITY
  for (let at = 0; at < levels.count; at += 1) {
    const level = levels.price[at] as number
    if (levels.code[at] === resistanceCode) up = Math.min(up, level + brick)
    else down = Math.max(down, level - brick)
  }
  const slack = 2 * brick * tolerance
  numbers[breakUpAt] = up - slack
  numbers[breakDownAt] = down + slack
}

function findCalm(numbers: Float64Array, brick: number): void {
  const way = numbers[direction] as number
  const last = numbers[edge] as number
  const slack = 2 * brick * tolerance
  const below = priceOf(numbers, last + (way < 0 ? 2 : 1), brick) - slack
  const above = priceOf(numbers, last - (way > 0 ? 2 : 1), brick) + slack
  numbers[belowAt] = Math.min(below, numbers[breakUpAt] as number)
  numbers[aboveAt] = Math.max(above, numbers[breakDownAt] as number)
}

/** Sets the ends of all levels to the given bar, and their shares. */
export function finishLevels(levels: LevelList, lastIndex: number): void {
  for (let at = 0; at < levels.count; at += 1) levels.toIndex[at] = lastIndex
  setShares(levels)
}
