// Batches changes into at most one paint per animation frame; a hidden tab has no frames.

/** From the smallest: only the legend changes, the overlays show it, bars from an index on are new or changed, all bars. */
export type Changed = 'legend' | 'overlay' | number | 'all'

export class FrameScheduler {
  readonly #paint: (from: Changed) => void
  #pending: Changed = 'legend'
  #request = 0

  constructor(paint: (from: Changed) => void) {
    this.#paint = paint
  }

  ask(from: Changed): void {
    this.#pending = larger(this.#pending, from)
    if (this.#request === 0) this.#request = requestAnimationFrame(() => this.#run())
  }

  /** Shifts the pending index by a number of prepended bars. */
  shift(count: number): void {
    if (typeof this.#pending === 'number') this.#pending = Math.max(0, this.#pending + count)
  }

  /** Paints pending changes now. */
  flush(): void {
    if (this.#request === 0) return
    cancelAnimationFrame(this.#request)
    this.#run()
  }

  stop(): void {
    cancelAnimationFrame(this.#request)
  }

  #run(): void {
    this.#request = 0
    const from = this.#pending
    this.#pending = 'legend'
    this.#paint(from)
  }
}

function larger(one: Changed, other: Changed): Changed {
  if (one === 'all' || other === 'all') return 'all'
  if (typeof one !== 'number' && typeof other !== 'number') return one === 'overlay' ? one : other
  return Math.min(typeof one === 'number' ? one : Infinity, typeof other === 'number' ? other : Infinity)
}
