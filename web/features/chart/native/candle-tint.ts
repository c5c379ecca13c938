// How a study tints the candles.
export interface Shade {
  /** 1 up, -1 down, 0 neither; NaN without a price. */
  directionAt(index: number): number
  /** Opacity of the body, 0 to 1. */
  alphaAt(index: number): number
}

/** The tint of the studies that are shown now. */
export interface CandleTint {
  shade: Shade | undefined
}
