// Study interface: a record for chart, settings form and legend, and its computing state.
import { type BarColumns } from './bar-columns.ts'
import { resolveInputs, type ChartKind, type InputSchema, type InputValues } from './study-input.ts'
import { type LevelList } from './level-list.ts'
import { type PointList } from './point-list.ts'
import { type Plot } from './plot.ts'
import { type Provenance } from './provenance.ts'
import { studyText } from '#shared/indicators/text/en.ts'
import { type StudyId } from './study-ids.ts'

/**
 * For each chart bar the ids of its session day, week and month: ascending numbers that are equal within one
 * period, for example the epoch day of the session. A chart knows the session when it appends a bar, so this costs
 * three numbers per bar.
 */
export interface PeriodColumns {
  dayId: Float64Array
  weekId: Float64Array
  monthId: Float64Array
  /** True if the chart's first bar starts its periods; otherwise no level is drawn from that incomplete first period. */
  isFirstWhole?: boolean
  /** Daily candles and the weeks and months made of them, if loaded; their close can differ from the last trade. */
  official?: OfficialColumns | undefined
}

export interface OfficialColumns {
  readonly day?: OfficialPeriods
  readonly week?: OfficialPeriods
  readonly month?: OfficialPeriods
}

export interface OfficialPeriods {
  length: number
  /** Ascending, the same numbers as in the columns above. */
  id: Float64Array
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
}

/**
 * Intrabars of the chart's bars. Chart bar i has those from `firstIndex[i]` up to `firstIndex[i + 1]`, the
 * last one those up to the end: the chart writes one index when a bar starts. Bars without any repeat the next index.
 * Only the last intrabar may change; after any other correction call `full()`.
 */
export interface Intrabars {
  bars: BarColumns
  firstIndex: Int32Array
}

/** Input of a study. The record and its columns are owned by the chart and read again at each call. */
export interface StudyContext extends ChartKind {
  readonly bars: BarColumns
  readonly periods?: PeriodColumns
  readonly intrabars?: Intrabars | undefined
  /** Tick size of the price, above 0. */
  readonly tickSize: number
  /** False for indices and forex, whose volume is not meaningful. */
  readonly hasVolume: boolean
}

/**
 * A study on one chart. Its outputs are reused: read them after a call and before the next one. Every output treats
 * the forming bar as if it closed now.
 */
export interface StudyState {
  /** One value per bar, by the names used in the plots; NaN where nothing is drawn. Capacity may exceed the bars. */
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly levels: LevelList | null
  readonly points: PointList | null
  /** Provenance of the latest bar with a value, or why there is none. */
  readonly provenance: Provenance
  /** Recomputes all bars; needed after a change of anything but the last bar. */
  readonly full: () => void
  /** Call after one or more bars were appended; the cost is bounded by their number. */
  readonly append: () => void
  /** Call after the last bar changed; allocates nothing. */
  readonly replaceLast: () => void
}

export interface Study {
  readonly id: StudyId
  readonly name: string
  readonly explanation: string
  readonly provenances: readonly Provenance[]
  readonly inputs: InputSchema
  readonly pane: 'price' | 'own'
  /** Bars needed for a result that does not depend on earlier history; the chart loads them. Accepts any inputs. */
  historyBars?(given: unknown): number
  /** Fixed scale of its own pane; by default the pane fits the values. */
  readonly range?: readonly [min: number, max: number]
  readonly plots: readonly Plot[]
  /** A state for one chart, empty until `full()`; accepts any inputs, see `resolveInputs`. */
  create(given: unknown, context: StudyContext): StudyState
}

interface StudyDefinition<S extends InputSchema> extends Omit<Study, 'inputs' | 'create' | 'name' | 'explanation' | 'historyBars'> {
  readonly inputs: S
  readonly historyBars?: (inputs: InputValues<S>) => number
  readonly create: (inputs: InputValues<S>, context: StudyContext) => StudyState
}

/** Study record from its typed definition: texts are looked up by id, and inputs are validated before use. */
export function defineStudy<const S extends InputSchema>(definition: StudyDefinition<S>): Study {
  const create = (given: unknown, context: StudyContext) => definition.create(resolveInputs(definition, given, context), context)
  const { historyBars, ...rest } = definition
  return {
    ...rest,
    ...studyText[definition.id],
    create,
    ...(historyBars !== undefined && { historyBars: (given: unknown) => historyBars(resolveInputs(definition, given)) }),
  }
}
