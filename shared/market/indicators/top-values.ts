// The largest of the last values, kept in order while values come and go.

interface Span {
  readonly from: number
  readonly to: number
}

export interface TopValues {
  readonly reset: () => void
  /**
   * Takes values in, one after the other, and writes for each the ranked one of the window that ends with it. What is not a
   * finite number is passed over.
   */
  readonly take: (values: Float64Array, out: Float64Array, span: Span) => void
  /** Writes what `take` would write for one value, without taking it in. */
  readonly peek: (values: Float64Array, out: Float64Array, index: number) => void
}

/**
 * A window over the last values; `ranks[n]` says which of n values is asked for (1 = the largest), and the last of them is the size of
 * the window and its deepest rank. Only about twice as many values as the deepest rank are kept in order; they are gathered anew
 * when too many of them have left, which is seldom.
 */
export function createTopValues(ranks: Int32Array): TopValues {
  const size = ranks.length - 1
  const deepest = ranks[size] as number
  const window = new Float64Array(size)
  const room = Math.min(size, 2 * deepest + 4)
  // Largest first.
  const top = new Float64Array(room + 1)
  let count = 0
  let next = 0
  let topCount = 0

  const reset = () => {
    count = 0
    next = 0
    topCount = 0
  }
  /** Where the value that is about to leave the window stands among the top; `topCount` where none leaves or it is below them all. */
  const findLeaving = () => {
    if (count < size) return topCount
    const value = window[next] as number
    if (value < (top[topCount - 1] as number)) return topCount
    let at = 0
    while ((top[at] as number) > value) at += 1
    return at
  }
  const remove = (gone: number) => {
    topCount -= 1
    for (let at = gone; at < topCount; at += 1) top[at] = top[at + 1] as number
  }
  /** Adds a value of the window to the top; the least one falls out where there is no room. */
  const insert = (place: number) => {
    const value = window[place] as number
    let at = topCount
    for (; at > 0 && (top[at - 1] as number) < value; at -= 1) top[at] = top[at - 1] as number
    top[at] = value
    if (topCount < room) topCount += 1
  }
  const gather = () => {
    topCount = 0
    for (let place = 0; place < count; place += 1) {
      if (topCount < room || (window[place] as number) > (top[room - 1] as number)) insert(place)
    }
  }
  const takeOne = (value: number) => {
    if (count === size && (window[next] as number) >= (top[topCount - 1] as number)) remove(findLeaving())
    // The top is the whole window while that is small; later what is below the least of the top need not be in it.
    const isWhole = topCount === (count < size ? count : size - 1)
    if (count < size) count += 1
    window[next] = value
    if (topCount <= deepest && !isWhole) gather()
    else if ((isWhole && topCount < room) || value > (top[topCount - 1] as number)) insert(next)
    next = next + 1 === size ? 0 : next + 1
  }
  /** Passes values that change nothing among the top; most do, and this loop is all they cost. Returns where it stopped. */
  const takeCalm = (values: Float64Array, out: Float64Array, { from, to }: Span) => {
    const least = top[topCount - 1] as number
    const ranked = top[(ranks[size] as number) - 1] as number
    let place = next
    let index = from
    for (; index < to; index += 1) {
      const value = values[index] as number
      if (!(value <= least && (window[place] as number) < least)) break
      window[place] = value
      out[index] = ranked
      place = place + 1 === size ? 0 : place + 1
    }
    next = place
    return index
  }
  const take = (values: Float64Array, out: Float64Array, span: Span) => {
    const left = { from: span.from, to: span.to }
    while (left.from < left.to) {
      if (count === size && topCount < size) left.from = takeCalm(values, out, left)
      if (left.from === left.to) return
      const value = values[left.from] as number
      if (value < Number.POSITIVE_INFINITY) {
        takeOne(value)
        out[left.from] = top[(ranks[count] as number) - 1] as number
      }
      left.from += 1
    }
  }
  const peek = (values: Float64Array, out: Float64Array, index: number) => {
    const value = values[index] as number
    const wanted = ranks[Math.min(count + 1, size)] as number
    const leaving = findLeaving()
    const left = leaving < topCount ? topCount - 1 : topCount
    const here = top[wanted - 1 < leaving ? wanted - 1 : wanted] as number
    const before = wanted < 2 ? Number.POSITIVE_INFINITY : (top[wanted - 2 < leaving ? wanted - 2 : wanted - 1] as number)
    out[index] = Math.min(wanted <= left ? Math.max(here, value) : value, before)
  }
  return { reset, take, peek }
}
