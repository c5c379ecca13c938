// Binary search.

/** The first index that fits, where all behind it fit too; `length` where none does. */
export function firstIndex(length: number, fits: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  return low
}
