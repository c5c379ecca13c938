// Bar heights of a small chart.

/** Heights in the unit of `heightMax`; any amount above zero gets at least one unit. */
export function barHeights(amounts: readonly number[], heightMax: number): readonly number[] {
  const most = Math.max(0, ...amounts)
  return amounts.map((amount) => (amount <= 0 || most === 0 ? 0 : Math.max(1, Math.round((amount / most) * heightMax))))
}
