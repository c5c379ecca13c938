// How high the bars of a small chart are.

/** Heights in the unit of `heightMax`; what is not nothing shows at least one unit, nothing shows none. */
export function barHeights(amounts: readonly number[], heightMax: number): readonly number[] {
  const most = Math.max(0, ...amounts)
  return amounts.map((amount) => (amount <= 0 || most === 0 ? 0 : Math.max(1, Math.round((amount / most) * heightMax))))
}
