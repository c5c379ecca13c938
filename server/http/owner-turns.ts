// Turns of work: owners take turns, each has a few places at once, and the longest backlog gives way when all waiting places are taken.
import { AppError } from '#shared/http/app-error.ts'

export interface OwnerTurnsOptions {
  /** Places for all owners. */
  readonly runningMax: number
  /** Places of one owner. */
  readonly runningPerOwner: number
  /** Waiting work of all owners. */
  readonly waitingMax: number
  /** Running and waiting work of one part of an owner. */
  readonly perPart: number
}

/** Who asks for a turn: an owner, such as an address, and its part, such as an account at that address. */
export interface Turn {
  readonly owner: string
  readonly part: string
}

interface Waiting {
  start(): void
  drop(): void
}

/** Newest work of the longest backlog is dropped, so that what has waited is done. */
export class OwnerTurns {
  readonly #options: OwnerTurnsOptions
  #running = 0
  #waiting = 0
  readonly #runningOf = new Map<string, number>()
  readonly #parts = new Map<string, number>()
  /** In turn order; no backlog is empty. */
  readonly #backlogs = new Map<string, Waiting[]>()

  constructor(options: OwnerTurnsOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Runs the work in its turn. @throws AppError unavailable: the part has too much, or the owner the longest backlog */
  async take<T>({ owner, part }: Turn, work: () => Promise<T>): Promise<T> {
    const key = `${owner}\n${part}`
    if ((this.#parts.get(key) ?? 0) >= this.#options.perPart) throw busy()
    count(this.#parts, key, 1)
    try {
      if (this.#hasPlace(owner)) this.#begin(owner)
      else await this.#wait(owner)
      try {
        return await work()
      } finally {
        this.#end(owner)
      }
    } finally {
      count(this.#parts, key, -1)
    }
  }

  #hasPlace(owner: string): boolean {
    return this.#running < this.#options.runningMax && (this.#runningOf.get(owner) ?? 0) < this.#options.runningPerOwner
  }

  #begin(owner: string): void {
    this.#running += 1
    count(this.#runningOf, owner, 1)
  }

  #end(owner: string): void {
    this.#running -= 1
    count(this.#runningOf, owner, -1)
    for (const [next, backlog] of this.#backlogs) {
      if (!this.#hasPlace(next)) continue
      const first = backlog.shift()
      this.#backlogs.delete(next)
      if (backlog.length > 0) this.#backlogs.set(next, backlog)
      this.#waiting -= 1
      this.#begin(next)
      first?.start()
      return
    }
  }

  #wait(owner: string): Promise<void> {
    const backlog = this.#backlogs.get(owner) ?? []
    this.#backlogs.set(owner, backlog)
    this.#waiting += 1
    const started = new Promise<void>((start, drop) => backlog.push({ start, drop: () => drop(busy()) }))
    if (this.#waiting > this.#options.waitingMax) this.#dropNewest()
    return started
  }

  #dropNewest(): void {
    const [owner, backlog] = [...this.#backlogs].reduce((longest, each) => (each[1].length >= longest[1].length ? each : longest))
    const newest = backlog.pop()
    if (backlog.length === 0) this.#backlogs.delete(owner)
    this.#waiting -= 1
    newest?.drop()
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

function busy(): AppError {
  return new AppError('unavailable', 'http.busy', { retryAfterSeconds: 2 })
}
