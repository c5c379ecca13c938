// How much of the legends fits into the panes.
export interface LegendRoom {
  /** Height of the price pane in pixels; 0 while it is unknown. */
  readonly pricePx: number
  /** Whether the legend is collapsed to one line until the user opens it. */
  readonly isCompact: boolean
}

export interface LegendRoomOptions {
  readonly isSmallScreen: boolean
  /** Height of all panes. */
  readonly heightPx: number
  /** Upper edges of the studies' own panes. */
  readonly paneTops: readonly number[]
  /** Studies on the price. */
  readonly rows: number
}

const rowPx = 26
/** The bar and a note. */
const headPx = 40
/** Share of the price pane that an open legend may take. */
const most = 0.9
/** Lower price panes have one line. */
const lowPx = 160

export function legendRoom({ isSmallScreen, heightPx, paneTops, rows }: LegendRoomOptions): LegendRoom {
  const pricePx = Math.min(heightPx, ...paneTops)
  return { pricePx, isCompact: isSmallScreen || (pricePx > 0 && (pricePx < lowPx || headPx + rows * rowPx > most * pricePx)) }
}

/** Height of a study's own pane. */
export function paneHeight(topPx: number, { heightPx, paneTops }: Pick<LegendRoomOptions, 'heightPx' | 'paneTops'>): number {
  return Math.min(heightPx, ...paneTops.filter((other) => other > topPx)) - topPx
}

/** Panes lower than this have one line. */
export const linePanePx = 90
