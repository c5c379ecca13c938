// The pivot levels of the latest periods on a chart, oldest period first.
import { createLevelList, type LevelList } from './lists.ts'
import { findPreviousPeriod, idColumns, type PeriodKind } from './period-bars.ts'
import { pivotNames, writePivotLevels, type PivotPeriod, type PivotType } from './pivot-levels.ts'
import { type StudyContext } from './study.ts'

export interface PivotSettings {
  readonly type: PivotType
  readonly kind: PeriodKind
  readonly pivotsBack: number
  readonly isDailyBased: boolean
}

interface PivotList {
  readonly levels: LevelList
  readonly reset: () => void
  readonly run: (from: number, to: number, isClosed: boolean) => void
}

const perPeriod = pivotNames.length

/** See pivotpoint.ts; `run` as in StudyParts. */
export function createPivotList(context: StudyContext, { type, kind, pivotsBack, isDailyBased }: PivotSettings): PivotList {
  const levels = createLevelList(pivotsBack * perPeriod)
  const prices = new Float64Array(perPeriod)
  const previous: PivotPeriod = { open: 0, high: 0, low: 0, close: 0, currentOpen: 0 }
  // The period so far: id, open, high, low, close, and how many were begun before it.
  const kept = new Float64Array(6)
  // First bar and first level of the period that was begun last: the forming bar may begin it again and again.
  let begunAt = -1
  let firstLevel = 0
  let periodsBefore = 0

  const reset = () => {
    levels.count = 0
    kept.fill(Number.NaN)
    kept[5] = -1
    begunAt = -1
    firstLevel = 0
    periodsBefore = 0
  }
  /** A period begins with this bar; `previous` holds the bars of the one before, of that id, if it is whole. */
  const begin = (index: number, id: number, before: { readonly id: number; readonly isWhole: boolean }) => {
    if (begunAt !== index) makeRoom(index)
    levels.count = firstLevel
    if (!(isDailyBased && readOfficial(id, before.id)) && !before.isWhole) return
    previous.currentOpen = context.bars.open[index] as number
    writePivotLevels(type, previous, prices)
    for (let code = 0; code < perPeriod; code += 1) {
      if (Number.isNaN(prices[code])) continue
      levels.fromIndex[levels.count] = index
      levels.price[levels.count] = prices[code] as number
      levels.code[levels.count] = code
      levels.count += 1
    }
  }
  const makeRoom = (index: number) => {
    levels.toIndex.fill(index - 1, firstLevel, levels.count)
    if (levels.count > firstLevel) periodsBefore += 1
    if (periodsBefore === pivotsBack) {
      dropOldestPeriod(levels)
      periodsBefore -= 1
    }
    begunAt = index
    firstLevel = levels.count
  }
  /** The exchange's own bar of the period before; false where it is not there (yet). */
  const readOfficial = (id: number, idBefore: number) => {
    const official = context.periods?.official?.[kind]
    const at = official === undefined ? -1 : findPreviousPeriod(official, id)
    if (official === undefined || at < 0 || (official.id[at] as number) < idBefore) return false
    previous.open = official.open[at] as number
    previous.high = official.high[at] as number
    previous.low = official.low[at] as number
    previous.close = official.close[at] as number
    return true
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const { bars, periods } = context
    if (periods === undefined) return
    const ids = periods[idColumns[kind]]
    let id = kept[0] as number
    let open = kept[1] as number
    let high = kept[2] as number
    let low = kept[3] as number
    let close = kept[4] as number
    let begun = kept[5] as number
    for (let index = from; index < to; index += 1) {
      const barId = ids[index] as number
      const barHigh = bars.high[index] as number
      const barLow = bars.low[index] as number
      const barClose = bars.close[index] as number
      if (Number.isNaN(barId + barHigh + barLow + barClose)) continue
      if (barId === id) {
        if (barHigh > high) high = barHigh
        if (barLow < low) low = barLow
        close = barClose
        continue
      }
      previous.open = open
      previous.high = high
      previous.low = low
      previous.close = close
      begin(index, barId, { id, isWhole: begun > 0 || (begun === 0 && periods.isFirstWhole === true) })
      id = barId
      begun += 1
      open = bars.open[index] as number
      high = barHigh
      low = barLow
      close = barClose
    }
    if (!isClosed) for (let at = firstLevel; at < levels.count; at += 1) levels.toIndex[at] = to - 1
    else {
      kept[0] = id
      kept[1] = open
      kept[2] = high
      kept[3] = low
      kept[4] = close
      kept[5] = begun
    }
  }
  return { levels, reset, run }
}

function dropOldestPeriod(levels: LevelList): void {
  let size = 0
  while (size < levels.count && levels.fromIndex[size] === levels.fromIndex[0]) size += 1
  for (const column of [levels.fromIndex, levels.toIndex, levels.price, levels.code]) column.copyWithin(0, size, levels.count)
  levels.count -= size
}
