// Password hashing: argon2id off the event loop, at most two at a time, with bounded turns per kind of work.
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#shared/http/app-error.ts'

/** `standard` is OWASP's first choice for argon2id (46 MiB, one pass, one lane); `cheap` is for tests and rejected in production. */
const memoryKibOf = { standard: 47_104, cheap: 64 } as const

export type HashCost = keyof typeof memoryKibOf

const parallelMax = 2
/** The other slot stays free for a sign-in, which would else wait for the end of other work. */
const otherMax = 1
/** Per kind of work. */
const waitingMax = 120
/** Sign-ins as a whole, so that those of one address take up neither the hashes nor the database connections of others. */
const signInTurns = { runningMax: 12, runningPerOwner: 3, waitingMax, perPart: 8 }
const otherTurns = { runningMax: otherMax, runningPerOwner: otherMax, waitingMax, perPart: waitingMax + otherMax }

/** Sign-in is separate, so that signed-in users cannot block the sign-in of others. */
export type HashQueue = 'sign-in' | 'other'

/** Whether a password matches; without a hash false, after the same time. */
export type Matches = (password: string, passwordHash: string | undefined) => Promise<boolean>

export interface HashLoad {
  readonly running: number
  readonly waiting: number
}

/** Owners, such as client addresses and user ids, take turns. */
export interface PasswordHasher {
  /** Running and waiting work, by queue. */
  load(): Readonly<Record<HashQueue, HashLoad>>
  /** Hash of a new password in PHC string format. @throws AppError unavailable if too much is waiting */
  hash(password: string, owner?: string): Promise<string>
  /** Whether the password matches; without a hash false, after the same time. @throws AppError unavailable if too much is waiting */
  matches(password: string, passwordHash: string | undefined, owner?: string): Promise<boolean>
  /**
   * Runs a whole sign-in in its turn: the owner is the address, its part the account.
   * @throws AppError unavailable if too much is waiting; the work has not begun then
   */
  signIn<T>(turn: Turn, work: (matches: Matches) => Promise<T>): Promise<T>
}

/** Creates a hasher with its own queues; one per process. */
export function passwordHasher(cost: HashCost = 'standard'): PasswordHasher {
  // The library's default algorithm is argon2id.
  const options = { memoryCost: memoryKibOf[cost], timeCost: 1, parallelism: 1 }
  const { inTurn, load } = fairQueues()
  const turns = { 'sign-in': new OwnerTurns(signInTurns), other: new OwnerTurns(otherTurns) }
  const inOther = <T>(owner: string, work: () => Promise<T>): Promise<T> =>
    turns.other.take({ owner, part: '' }, () => inTurn('other', owner, work))
  async function verifyAny(password: string, passwordHash: string | undefined): Promise<boolean> {
    return (await verify(passwordHash ?? decoyHash(cost), normalise(password))) && passwordHash !== undefined
  }
  const loadOf = (queue: HashQueue): HashLoad => ({ running: load(queue).running, waiting: load(queue).waiting + turns[queue].waiting })
  return {
    load: () => ({ 'sign-in': loadOf('sign-in'), other: loadOf('other') }),
    hash: (password, owner = '') => inOther(owner, () => hash(normalise(password), options)),
    matches: (password, passwordHash, owner = '') => inOther(owner, () => verifyAny(password, passwordHash)),
    signIn: (turn, work) =>
      turns['sign-in'].take(turn, () =>
        work((password, passwordHash) => inTurn('sign-in', turn.owner, () => verifyAny(password, passwordHash))),
      ),
  }
}

/** A hash without a password, verified for unknown emails to equalise timing. */
export function decoyHash(cost: HashCost): string {
  return `$argon2id$v=19$m=${memoryKibOf[cost]},t=1,p=1$dGV6aS1kZWNveS1zYWx0$Vv8SKb2u1rGDFVkCOHmpTr0iSJhhmz8TWPJEiGuuTDU`
}

/** Keyboards compose letters differently; normalisation lets a user sign in from another device. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

interface WaitingHash {
  readonly due: number
  start(): void
}

/** Hashes that may begin before one of an owner for each other one that the owner has under way. */
const setBack = 4

/**
 * Two queues with shared slots, of which other work takes at most one. A free slot goes to the queue with fewer
 * running, and to sign-in if equal.
 * Within a queue the first of an owner goes before the next ones of others.
 */
function fairQueues() {
  const newQueue = () => ({ waiting: new Set<WaitingHash>(), underWay: new Map<string, number>(), running: 0, begun: 0 })
  const queues = { 'sign-in': newQueue(), other: newQueue() }
  const hasSlot = (queue: HashQueue): boolean =>
    queues['sign-in'].running + queues.other.running < parallelMax && (queue === 'sign-in' || queues.other.running < otherMax)
  function begin(queue: HashQueue): void {
    queues[queue].running += 1
    queues[queue].begun += 1
  }
  function startNext(): void {
    const order: HashQueue[] = queues['sign-in'].running <= queues.other.running ? ['sign-in', 'other'] : ['other', 'sign-in']
    const next = order.find((queue) => queues[queue].waiting.size > 0 && hasSlot(queue))
    if (next === undefined) return
    const { waiting } = queues[next]
    const first = [...waiting].reduce((earliest, each) => (each.due < earliest.due ? each : earliest))
    waiting.delete(first)
    begin(next)
    first.start()
  }
  async function inTurn<T>(queue: HashQueue, owner: string, work: () => Promise<T>): Promise<T> {
    const { waiting, underWay, begun } = queues[queue]
    const others = underWay.get(owner) ?? 0
    underWay.set(owner, others + 1)
    if (hasSlot(queue)) begin(queue)
    else await new Promise<void>((start) => waiting.add({ due: begun + others * setBack, start }))
    try {
      return await work()
    } finally {
      const left = (underWay.get(owner) ?? 1) - 1
      if (left === 0) underWay.delete(owner)
      else underWay.set(owner, left)
      queues[queue].running -= 1
      startNext()
    }
  }
  return { inTurn, load: (queue: HashQueue): HashLoad => ({ running: queues[queue].running, waiting: queues[queue].waiting.size }) }
}

interface OwnerTurnsOptions {
  /** Running work of all owners. */
  readonly runningMax: number
  /** Running work of one owner. */
  readonly runningPerOwner: number
  /** Waiting work of all owners. */
  readonly waitingMax: number
  /** Running and waiting work of one part of an owner. */
  readonly perPart: number
}

/** An owner of work, such as an address, and a part of it, such as an account at that address. */
export interface Turn {
  readonly owner: string
  readonly part: string
}

interface Waiting {
  start(): void
  drop(): void
}

/**
 * Owners take turns, and each has a few slots at once. With too much waiting, the newest work of the longest backlog is
 * dropped, so that what has waited is done.
 */
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
      if (this.#hasSlot(owner)) this.#begin(owner)
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

  #hasSlot(owner: string): boolean {
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
      if (!this.#hasSlot(next)) continue
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
