// Adjusted prices: candles are stored unadjusted, and adjusted for corporate actions when they are read.
import type { Candle } from './candle.ts'
import { corporateActionsOf, type Adjustment, type CorporateAction } from './corporate-actions.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'

export interface AdjusterOptions {
  /** Price series key. */
  readonly series: string
  readonly adjustment: Adjustment
  /** Trading hours of the candles. */
  readonly sessionClass: SessionClass
  /** Current time, epoch milliseconds: actions apply once their ex-date is reached. */
  readonly nowMs: number
}

export interface PriceAdjuster {
  /** Identifies the applied actions; a different key means different candles. */
  readonly key: string
  /** Price factor at this time, or for the candle with this timestamp. */
  readonly factorAt: (timeMs: number) => number
  /** The candle in today's prices; it must not span an ex-date, so larger candles are made from adjusted parts. */
  readonly adjust: (candle: Candle) => Candle
}

/** Factors for prices and volumes before an instant. */
interface Step {
  readonly beforeMs: number
  readonly price: number
  readonly volume: number
}

/** More decimals than the instrument, so that low old prices are not distorted; all prices of a candle are rounded alike. */
const precision = 1e6

/** The adjuster of a series for splits and bonuses; undefined if no action applies, so that candles are shown as stored. */
export function adjusterOf({ series, adjustment, sessionClass, nowMs }: AdjusterOptions): PriceAdjuster | undefined {
  const actions = appliedActions(series, adjustment, nowMs)
  if (actions.length === 0) return undefined
  const steps = stepsOf(actions, sessionClass)
  return {
    key: actions.map(({ exDate, kind }) => `${exDate} ${kind}`).join(),
    factorAt: (timeMs) => stepAt(steps, timeMs)?.price ?? 1,
    adjust(candle) {
      const step = stepAt(steps, candle.timeMs)
      return step === undefined ? candle : scaled(candle, { ...step, roundPrice: rounded, roundVolume: rounded })
    },
  }
}

/** The simplest setting with the same candles: series without actions are never adjusted. */
export function effectiveAdjustment(series: string, adjustment: Adjustment, nowMs: number): Adjustment {
  const { length } = appliedActions(series, adjustment, nowMs)
  if (length === 0) return 'none'
  return length === appliedActions(series, 'splits', nowMs).length ? 'splits' : 'all'
}

/**
 * The unadjusted candle, from one that a source has adjusted for some actions. Prices are rounded to the given decimals,
 * and volumes to whole numbers.
 */
export function unadjusted(candle: Candle, actions: readonly CorporateAction[], priceDecimals: number): Candle {
  const [step] = stepsOf(
    actions.filter(({ exDate }) => Date.parse(exDate) > candle.timeMs),
    null,
  )
  if (step === undefined) return candle
  const roundPrice = (price: number) => Number(price.toFixed(priceDecimals)) || price
  return scaled(candle, { price: 1 / step.price, volume: 1 / step.volume, roundPrice, roundVolume: Math.round })
}

/** Whether prices before an action are multiplied by its factor; a rename has none. */
function isAdjustedFor(action: CorporateAction, adjustment: Adjustment): boolean {
  return action.priceFactor !== 1 && (adjustment === 'all' || (adjustment === 'splits' && isSplit(action)))
}

/** Whether it changes the number of shares; sources adjust their history for such actions. */
export function isSplit({ kind }: CorporateAction): boolean {
  return kind === 'split' || kind === 'bonus'
}

function appliedActions(series: string, adjustment: Adjustment, nowMs: number): readonly CorporateAction[] {
  return corporateActionsOf(series).filter((action) => isAdjustedFor(action, adjustment) && Date.parse(action.exDate) <= nowMs)
}

/** Oldest first; each combines all actions from its own on. */
function stepsOf(actions: readonly CorporateAction[], sessionClass: SessionClass | null): readonly Step[] {
  const steps: Step[] = []
  let [price, volume] = [1, 1]
  for (const action of actions.toReversed()) {
    price *= action.priceFactor
    if (isSplit(action)) volume /= action.priceFactor
    steps.unshift({ beforeMs: firstMsOf(action.exDate, sessionClass), price, volume })
  }
  return steps
}

/** After every candle of the previous session: days start at 00:00 UTC, and a session may open on the evening before its date. */
function firstMsOf(exDate: string, sessionClass: SessionClass | null): number {
  const dateMs = Date.parse(exDate)
  const openMs = sessionClass === null ? undefined : calendarOf(sessionClass).sessionOn(exDate)?.openMs
  return Math.min(dateMs, openMs ?? dateMs)
}

function stepAt(steps: readonly Step[], timeMs: number): Step | undefined {
  return steps.find(({ beforeMs }) => timeMs < beforeMs)
}

interface Scale {
  readonly price: number
  readonly volume: number
  readonly roundPrice: (price: number) => number
  readonly roundVolume: (volume: number) => number
}

function scaled(candle: Candle, { price, volume, roundPrice, roundVolume }: Scale): Candle {
  const volumeOf = (value: number | null) => (value === null ? null : roundVolume(value * volume))
  return {
    timeMs: candle.timeMs,
    open: roundPrice(candle.open * price),
    high: roundPrice(candle.high * price),
    low: roundPrice(candle.low * price),
    close: roundPrice(candle.close * price),
    volume: volumeOf(candle.volume),
    takerBuyVolume: volumeOf(candle.takerBuyVolume),
  }
}

/** Keeps a price above zero. */
function rounded(value: number): number {
  return Math.round(value * precision) / precision || value
}
