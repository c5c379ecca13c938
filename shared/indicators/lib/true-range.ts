// True range.

/** max(H, previous C) - min(L, previous C) (Wilder, 1978); H - L where the previous close is NaN, NaN where H or L is. */
export function trueRange(high: number, low: number, previousClose: number): number {
  return (previousClose > high ? previousClose : high) - (previousClose < low ? previousClose : low)
}
