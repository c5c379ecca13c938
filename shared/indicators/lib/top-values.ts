// The largest values of a sliding window, kept in order.

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * A sliding window; `ranks[n]` is the requested rank among n values (1 = the largest), and its last index is both the size of
 * the window and its deepest rank. Only about twice as many values as the deepest rank are kept in order; they are collected again
 * when too many of them have left, which is rare.
 */
export class TopValues {
  readonly #ranks: Int32Array
  readonly #size: number
  readonly #deepest: number
  readonly #window: Float64Array
  readonly #capacity: number
  // Largest first.
  readonly #top: Float64Array
  #count = 0
  #next = 0
  #topCount = 0

  constructor(ranks: Int32Array) {
    this.#ranks = ranks
    this.#size = ranks.length - 1
    this.#deepest = ranks[this.#size] as number
    this.#window = new Float64Array(this.#size)
    this.#capacity = Math.min(this.#size, 2 * this.#deepest + 4)
    this.#top = new Float64Array(this.#capacity + 1)
  }

  reset(): void {
    this.#count = 0
    this.#next = 0
    this.#topCount = 0
  }

  /**
   * Adds values one after the other, and writes for each the ranked one of the window that ends with it. Non-finite
   * values are skipped.
   */
  take(values: Float64Array, out: Float64Array, span: Span): void {
    const left = { from: span.from, to: span.to }
    while (left.from < left.to) {
      if (this.#count === this.#size && this.#topCount < this.#size) left.from = this.#takeCalm(values, out, left)
      if (left.from === left.to) return
      const value = values[left.from] as number
      if (value < Number.POSITIVE_INFINITY) {
        this.#takeOne(value)
        out[left.from] = this.#top[(this.#ranks[this.#count] as number) - 1] as number
      }
      left.from += 1
    }
  }

  /** Writes what `take` would write for one value, without adding it. */
  peek(values: Float64Array, out: Float64Array, index: number): void {
    const value = values[index] as number
    const rank = this.#ranks[Math.min(this.#count + 1, this.#size)] as number
    const leaving = this.#findLeaving()
    const left = leaving < this.#topCount ? this.#topCount - 1 : this.#topCount
    const here = this.#top[rank - 1 < leaving ? rank - 1 : rank] as number
    const before = rank < 2 ? Number.POSITIVE_INFINITY : (this.#top[rank - 2 < leaving ? rank - 2 : rank - 1] as number)
    out[index] = Math.min(rank <= left ? Math.max(here, value) : value, before)
  }

  /** Index among the top of the value that is about to leave the window; `topCount` if none leaves or it is below them all. */
  #findLeaving(): number {
    if (this.#count < this.#size) return this.#topCount
    const value = this.#window[this.#next] as number
    if (value < (this.#top[this.#topCount - 1] as number)) return this.#topCount
    let at = 0
    while ((this.#top[at] as number) > value) at += 1
    return at
  }

  #remove(gone: number): void {
    this.#topCount -= 1
    for (let at = gone; at < this.#topCount; at += 1) this.#top[at] = this.#top[at + 1] as number
  }

  /** Adds a value of the window to the top; the smallest one is dropped if there is no room. */
  #insert(place: number): void {
    const value = this.#window[place] as number
    let at = this.#topCount
    for (; at > 0 && (this.#top[at - 1] as number) < value; at -= 1) this.#top[at] = this.#top[at - 1] as number
    this.#top[at] = value
    if (this.#topCount < this.#capacity) this.#topCount += 1
  }

  #gather(): void {
    this.#topCount = 0
    for (let place = 0; place < this.#count; place += 1) {
      if (this.#topCount < this.#capacity || (this.#window[place] as number) > (this.#top[this.#capacity - 1] as number))
        this.#insert(place)
    }
  }

  #takeOne(value: number): void {
    if (this.#count === this.#size && (this.#window[this.#next] as number) >= (this.#top[this.#topCount - 1] as number))
      this.#remove(this.#findLeaving())
    // A small window is in the top completely; later, values below the smallest of the top need not be in it.
    const isWhole = this.#topCount === (this.#count < this.#size ? this.#count : this.#size - 1)
    if (this.#count < this.#size) this.#count += 1
    this.#window[this.#next] = value
    if (this.#topCount <= this.#deepest && !isWhole) this.#gather()
    else if ((isWhole && this.#topCount < this.#capacity) || value > (this.#top[this.#topCount - 1] as number)) this.#insert(this.#next)
    this.#next = this.#next + 1 === this.#size ? 0 : this.#next + 1
  }

  /** Skips values that do not change the top; most do not, and this loop is their whole cost. Returns where it stopped. */
  #takeCalm(values: Float64Array, out: Float64Array, { from, to }: Span): number {
    const least = this.#top[this.#topCount - 1] as number
    const ranked = this.#top[(this.#ranks[this.#size] as number) - 1] as number
    let place = this.#next
    let index = from
    for (; index < to; index += 1) {
      const value = values[index] as number
      if (!(value <= least && (this.#window[place] as number) < least)) break
      this.#window[place] = value
      out[index] = ranked
      place = place + 1 === this.#size ? 0 : place + 1
    }
    this.#next = place
    return index
  }
}
