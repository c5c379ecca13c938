// Plot types of a study's outputs, with colour roles that the theme resolves.
export type ColourRole =
  | 'line-1'
  | 'line-2'
  | 'line-3'
  | 'bull'
  | 'bear'
  | 'neutral'
  | 'band'
  | 'guide'
  | 'pivot'
  | 'resistance'
  | 'support'
  | 'zig-zag'

export type Plot = LinePlot | BandPlot | HistogramPlot | CandlesPlot | GuidePlot | ShadePlot | GaugePlot | LevelsPlot | PointsPlot

interface LinePlot {
  readonly kind: 'line'
  readonly column: string
  readonly label: string
  readonly role: ColourRole
  /** Column of 1 and -1: bull or bear colour of the line, which breaks where it changes. */
  readonly direction?: string
  /** Input whose value names a period: the line breaks where a new one starts. */
  readonly partedBy?: string
}

/** The area between two columns. */
interface BandPlot {
  readonly kind: 'band'
  readonly upper: string
  readonly lower: string
  readonly role: ColourRole
}

/** Bars from 0, bull above and bear below. */
interface HistogramPlot {
  readonly kind: 'histogram'
  readonly column: string
  readonly label: string
}

/** Candles that open at 0, bull if they close above and bear below. */
interface CandlesPlot {
  readonly kind: 'candles'
  readonly high: string
  readonly low: string
  readonly close: string
  readonly label: string
  /** Column of indexes into `provenances`: the provenance of each bar's value. */
  readonly provenance: string
  readonly provenances: readonly string[]
}

/** A horizontal line at a fixed value. */
interface GuidePlot {
  readonly kind: 'guide'
  readonly value: number
  readonly role: ColourRole
}

/** Tint of the chart's own candles: bull 1, bear -1, neutral 0, with this opacity; `direction` decides the outline too. */
interface ShadePlot {
  readonly kind: 'shade'
  readonly direction: string
  readonly alpha: string
  readonly label: string
}

/** The latest value of a column as a number of bull blocks out of `total`; the others are bear. */
interface GaugePlot {
  readonly kind: 'gauge'
  readonly column: string
  readonly total: number
  readonly label: string
}

/** Levels of the state; a level's `code` is the index into names and roles. `isWeighted`: line width by share, label with volume. */
interface LevelsPlot {
  readonly kind: 'levels'
  readonly names: readonly string[]
  readonly roles: readonly ColourRole[]
  readonly isWeighted: boolean
}

/** Points of the state, joined by lines and labelled. */
interface PointsPlot {
  readonly kind: 'points'
  readonly role: ColourRole
  readonly labels: readonly string[]
}
