// Pivot levels of the latest periods on a chart, oldest period first.
import { createLevelList, type LevelList } from './level-list.ts'
import { findPreviousPeriod, idColumns, type PeriodKind } from './period-kind.ts'
import { pivotNames, writePivotLevels, type PivotPeriod, type PivotType } from './write-pivot-levels.ts'
import { type StudyContext } from './study.ts'

export interface PivotSettings {
  readonly type: PivotType
  readonly kind: PeriodKind
  readonly pivotsBack: number
  readonly isDailyBased: boolean
}

const perPeriod = pivotNames.length

/** See pivotpoint.ts; `run` as in StudyParts. */
export class PivotList {
  readonly #context: StudyContext
  readonly #settings: PivotSettings
  readonly levels: LevelList
  readonly #prices = new Float64Array(perPeriod)
  readonly #previous: PivotPeriod = { open: 0, high: 0, low: 0, close: 0, currentOpen: 0 }
  // Current period: id, open, high, low, close, and how many periods started before it.
  readonly #stored = new Float64Array(6)
  // First bar and first level of the latest period: the forming bar may start it repeatedly.
  #begunAt = -1
  #firstLevel = 0
  #periodsBefore = 0

  constructor(context: StudyContext, settings: PivotSettings) {
    this.#context = context
    this.#settings = settings
    this.levels = createLevelList(settings.pivotsBack * perPeriod)
  }

  reset(): void {
    this.levels.count = 0
    this.#stored.fill(Number.NaN)
    this.#stored[5] = -1
    this.#begunAt = -1
    this.#firstLevel = 0
    this.#periodsBefore = 0
  }

  run(from: number, to: number, isClosed: boolean): void {
    const { bars, periods } = this.#context
    if (periods === undefined) return
    const ids = periods[idColumns[this.#settings.kind]]
    let id = this.#stored[0] as number
    let open = this.#stored[1] as number
    let high = this.#stored[2] as number
    let low = this.#stored[3] as number
    let close = this.#stored[4] as number
    let begun = this.#stored[5] as number
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
      this.#previous.open = open
      this.#previous.high = high
      this.#previous.low = low
      this.#previous.close = close
      this.#begin(index, barId, { id, isWhole: begun > 0 || (begun === 0 && periods.isFirstWhole === true) })
      id = barId
      begun += 1
      open = bars.open[index] as number
      high = barHigh
      low = barLow
      close = barClose
    }
    if (!isClosed) for (let at = this.#firstLevel; at < this.levels.count; at += 1) this.levels.toIndex[at] = to - 1
    else {
      this.#stored[0] = id
      this.#stored[1] = open
      this.#stored[2] = high
      this.#stored[3] = low
      this.#stored[4] = close
      this.#stored[5] = begun
    }
  }

  /** Starts a period at this bar; `previous` holds the bars of the period before, with that id, if it is complete. */
  #begin(index: number, id: number, before: { readonly id: number; readonly isWhole: boolean }): void {
    if (this.#begunAt !== index) this.#makeRoom(index)
    this.levels.count = this.#firstLevel
    if (!(this.#settings.isDailyBased && this.#readOfficial(id, before.id)) && !before.isWhole) return
    this.#previous.currentOpen = this.#context.bars.open[index] as number
    writePivotLevels(this.#settings.type, this.#previous, this.#prices)
    for (let code = 0; code < perPeriod; code += 1) {
      if (Number.isNaN(this.#prices[code])) continue
      this.levels.fromIndex[this.levels.count] = index
      this.levels.price[this.levels.count] = this.#prices[code] as number
      this.levels.code[this.levels.count] = code
      this.levels.count += 1
    }
  }

  #makeRoom(index: number): void {
    this.levels.toIndex.fill(index - 1, this.#firstLevel, this.levels.count)
    if (this.levels.count > this.#firstLevel) this.#periodsBefore += 1
    if (this.#periodsBefore === this.#settings.pivotsBack) {
      dropOldestPeriod(this.levels)
      this.#periodsBefore -= 1
    }
    this.#begunAt = index
    this.#firstLevel = this.levels.count
  }

  /** Reads the exchange's own bar of the previous period; false if it is not available (yet). */
  #readOfficial(id: number, idBefore: number): boolean {
    const official = this.#context.periods?.official?.[this.#settings.kind]
    const at = official === undefined ? -1 : findPreviousPeriod(official, id)
    if (official === undefined || at < 0 || (official.id[at] as number) < idBefore) return false
    this.#previous.open = official.open[at] as number
    this.#previous.high = official.high[at] as number
    this.#previous.low = official.low[at] as number
    this.#previous.close = official.close[at] as number
    return true
  }
}

function dropOldestPeriod(levels: LevelList): void {
  let size = 0
  while (size < levels.count && levels.fromIndex[size] === levels.fromIndex[0]) size += 1
  for (const column of [levels.fromIndex, levels.toIndex, levels.price, levels.code]) column.copyWithin(0, size, levels.count)
  levels.count -= size
}
