// Holds back implausible price jumps until there is evidence for them.
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Candle } from './candle.ts'

interface Bounds {
  readonly down: number
  readonly up: number
}

/** Relative to the last price; a larger jump is more often an error of the source than a market move. */
const jumpBounds: Bounds = { down: 0.8, up: 1.2 }
/** Beyond are other units, other instruments and placeholders; a split of one to ten is within. */
const absurdBounds: Bounds = { down: 1 / 12, up: 12 }
const jumpEvidence = { prices: 3, lastingMs: 10 * secondMs }
const absurdEvidence = { prices: 10, lastingMs: 5 * minuteMs }
/** A price that lasts this time is true even if it does not move, as at a circuit limit. */
const unmovedMs = 30 * minuteMs
/** Of more updates only the newest are kept. */
const heldMax = 500

export interface JumpGuard<Statement> {
  /** Updates that may be used now, in order of arrival: none, this one, or the held ones and this one. */
  take(statement: Statement, atMs: number): readonly Statement[]
  /** Whether a candle of another origin confirms the held updates. */
  agrees(candle: Candle): boolean
  /** Compares the held updates with a valid candle of another origin, such as history. Returns those that may be used now. */
  compare(candle: Candle): readonly Statement[]
  /** No price will come from elsewhere: where none is known the first one is trusted. Returns updates that may be used now. */
  trustFirst(): readonly Statement[]
}

export interface JumpGuardStart<Statement> {
  readonly candleOf: (statement: Statement) => Candle
  /** A known valid price, if there is one. */
  readonly lastClose?: number | undefined
  /** Whether only absurd prices are held back. */
  readonly isCoarse?: boolean | undefined
  /** Called for an update that differs from a known price and is held back. */
  readonly onHeld?: (statement: Statement) => void
  /** Called for an update that was held back and is dropped. */
  readonly onDropped?: (statement: Statement) => void
}

/** Updates at one new price level. */
interface Level<Statement> {
  readonly held: Statement[]
  readonly first: Candle
  readonly sinceMs: number
  readonly prices: Set<number>
  last: Candle
  low: number
  high: number
  isAbsurd: boolean
}

/**
 * Holds back an update whose high or low differs by more than 20 % from the last accepted close, and those after it
 * that are within 20 % of the one before. They are used together as soon as
 * - they have had three different prices in ten seconds or more; ten in five minutes if one of them is over twelve times
 *   the last close, or under a twelfth of it;
 * - they have lasted for half an hour, even at one price;
 * - or a candle of another origin shows their prices.
 * An update near the last close drops them, as does a candle of another origin from then on that does not show them; an
 * update near neither drops them and is held itself. Times are those of arrival for a stream, and stamps for rows.
 * Where no price is known the first one is held, too, until it is confirmed or `trustFirst` is called.
 */
export function jumpGuard<Statement>(start: JumpGuardStart<Statement>): JumpGuard<Statement> {
  const { candleOf, lastClose, isCoarse = false, onHeld, onDropped } = start
  const bounds = isCoarse ? absurdBounds : jumpBounds
  let trusted: { readonly close: number; readonly timeMs: number } | undefined =
    lastClose === undefined ? undefined : { close: lastClose, timeMs: -Infinity }
  let isFirstTrusted = false
  let level: Level<Statement> | undefined

  function drop(): void {
    const held = level?.held ?? []
    level = undefined
    for (const statement of held) onDropped?.(statement)
  }

  function release(): readonly Statement[] {
    if (level === undefined) return []
    const { held, last } = level
    trusted = last
    level = undefined
    return held
  }

  function hold(statement: Statement, candle: Candle, atMs: number): Level<Statement> {
    level ??= levelOf(candle, atMs)
    level.held.push(statement)
    widen(level, candle, trusted?.close)
    if (trusted !== undefined) onHeld?.(statement)
    if (level.held.length > heldMax) for (const oldest of level.held.splice(0, 1)) onDropped?.(oldest)
    return level
  }

  const agrees = (candle: Candle): boolean => level !== undefined && shows(candle, level, trusted?.close, bounds)

  return {
    take(statement, atMs) {
      const candle = candleOf(statement)
      const isTrusted = trusted === undefined ? isFirstTrusted : isWithin(candle, trusted.close, trusted.close, bounds)
      if (isTrusted) {
        drop()
        trusted = candle
        return [statement]
      }
      if (level !== undefined && !continues(candle, level.last, bounds)) drop()
      return isConfirmed(hold(statement, candle, atMs), atMs) ? release() : []
    },
    agrees,
    compare(candle) {
      if (agrees(candle)) return release()
      if (level !== undefined && candle.timeMs >= level.first.timeMs) drop()
      if (trusted === undefined || candle.timeMs >= trusted.timeMs) trusted = candle
      return []
    },
    trustFirst() {
      isFirstTrusted = true
      return trusted === undefined ? release() : []
    },
  }
}

function levelOf<Statement>(first: Candle, sinceMs: number): Level<Statement> {
  const { low, high } = first
  return { held: [], first, sinceMs, prices: new Set(), last: first, low, high, isAbsurd: false }
}

function widen(level: Level<unknown>, candle: Candle, known: number | undefined): void {
  level.last = candle
  level.low = Math.min(level.low, candle.low)
  level.high = Math.max(level.high, candle.high)
  level.isAbsurd ||= known !== undefined && !isWithin(candle, known, known, absurdBounds)
  if (level.prices.size < absurdEvidence.prices) level.prices.add(candle.close)
}

/** Whether a candle has the prices of a level, and none beyond those and the last close. */
function shows(candle: Candle, { low, high, last }: Level<unknown>, known: number | undefined, bounds: Bounds): boolean {
  const isWhole = low >= candle.low * bounds.down && high <= candle.high * bounds.up
  const [lowest, highest] = [Math.min(known ?? low, low), Math.max(known ?? high, high)]
  return isWhole && isWithin(candle, lowest, highest, bounds) && isNear(candle.close, last.close, bounds)
}

export interface CheckedRows {
  readonly confirmed: readonly Candle[]
  readonly refuted: readonly Candle[]
  /** The last ones, if nothing confirms or refutes them. */
  readonly open: readonly Candle[]
}

export interface RowsCheck extends Pick<JumpGuardStart<Candle>, 'lastClose' | 'isCoarse'> {
  /** Whether a candle is confirmed from elsewhere. */
  readonly isSeen?: ((candle: Candle) => boolean) | undefined
}

/** Applies the guard to ascending rows of a history. Without a known price the median is trusted: few rows are wrong. */
export function checkRows(rows: readonly Candle[], { lastClose, isCoarse, isSeen }: RowsCheck): CheckedRows {
  const median = rows.map(({ close }) => close).toSorted((one, other) => one - other)[Math.floor(rows.length / 2)]
  const refuted = new Set<Candle>()
  const guard = jumpGuard<Candle>({
    candleOf: (row) => row,
    lastClose: lastClose ?? median,
    isCoarse,
    onDropped: (row) => refuted.add(row),
  })
  const used = rows.flatMap((row) => {
    const taken = guard.take(row, row.timeMs)
    return taken.length === 0 && isSeen?.(row) === true ? guard.compare(row) : taken
  })
  const confirmed = new Set(used)
  return { confirmed: used, refuted: [...refuted], open: rows.filter((row) => !confirmed.has(row) && !refuted.has(row)) }
}

function isConfirmed({ sinceMs, prices, isAbsurd }: Level<unknown>, atMs: number): boolean {
  const needed = isAbsurd ? absurdEvidence : jumpEvidence
  const lastedMs = atMs - sinceMs
  return (prices.size >= needed.prices && lastedMs >= needed.lastingMs) || lastedMs >= unmovedMs
}

function isWithin({ high, low }: Candle, lowest: number, highest: number, { down, up }: Bounds): boolean {
  return low >= lowest * down && high <= highest * up
}

function isNear(one: number, other: number, { down, up }: Bounds): boolean {
  return one >= other * down && one <= other * up
}

function continues(candle: Candle, before: Candle, bounds: Bounds): boolean {
  return isWithin(candle, before.low, before.high, bounds) && isNear(candle.close, before.close, bounds)
}
