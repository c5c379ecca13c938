// Binary search.

/** First index for which `fits` is true, assuming it stays true for all later ones; `length` if there is none. */
export function binarySearch(length: number, fits: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  return low
}
