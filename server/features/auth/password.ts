// Password hashing: argon2id off the event loop, at most two at a time, a bounded queue per kind of work before it.
import { hash, verify } from '@node-rs/argon2'
import { fairQueue } from '#server/http/fair-queue.ts'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'

/** `standard` is OWASP's first choice for argon2id (46 MiB, one pass, one lane); `cheap` is for tests, and the configuration refuses it in production. */
const memoryKibOf = { standard: 47_104, cheap: 64 } as const

export type HashCost = keyof typeof memoryKibOf

const other: HashTurn = { queue: 'other', owner: '' }

const parallelMax = 2
/** Per queue. */
const waitingMax = 120

/** Sign-in is separate, so that nothing done by signed-in users keeps others from signing in. */
export type HashQueue = 'sign-in' | 'other'

export interface HashTurn {
  readonly queue: HashQueue
  /** Whose turn it uses up, such as a client address: what one asks for delays no other. */
  readonly owner: string
}

export interface HashLoad {
  readonly running: number
  readonly waiting: number
}

export interface PasswordHasher {
  /** Work under way and work that waits, by queue. */
  load(): Readonly<Record<HashQueue, HashLoad>>
  /** Hash of a new password in the PHC string form. @throws AppError unavailable when the queue is full. */
  hash(password: string): Promise<string>
  /** Whether the password belongs to the hash. Without a hash it takes the same time and answers false. @throws AppError unavailable when the queue is full. */
  matches(password: string, passwordHash: string | undefined, turn?: HashTurn): Promise<boolean>
}

/** A hasher with queues of its own; a process makes one. */
export function passwordHasher(cost: HashCost = 'standard'): PasswordHasher {
  // The library's default algorithm is argon2id.
  const options = { memoryCost: memoryKibOf[cost], timeCost: 1, parallelism: 1 }
  const { inTurn, load } = fairQueues()
  return {
    load,
    hash: (password) => inTurn(other, () => hash(normalise(password), options)),
    async matches(password, passwordHash, turn = other) {
      const isMatch = await inTurn(turn, () => verify(passwordHash ?? decoyHash(cost), normalise(password)))
      return isMatch && passwordHash !== undefined
    },
  }
}

/** A hash that no password has. Verified against for unknown emails, so that they take the same time. */
export function decoyHash(cost: HashCost): string {
  return `$argon2id$v=19$m=${memoryKibOf[cost]},t=1,p=1$dGV6aS1kZWNveS1zYWx0$Vv8SKb2u1rGDFVkCOHmpTr0iSJhhmz8TWPJEiGuuTDU`
}

/** Keyboards differ in how they compose letters; one form keeps a user from being locked out by another device. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

/**
 * Two bounded queues over shared places: a free place goes to the queue that has fewer running, to sign-in where both have
 * as many. Within a queue owners take turns.
 */
function fairQueues() {
  const newQueue = () => ({ turns: fairQueue<() => void>({ quantum: 1, costOf: () => 1 }), waiting: 0 })
  const running = { 'sign-in': 0, other: 0 }
  const queues = { 'sign-in': newQueue(), other: newQueue() }
  function startNext(): void {
    const order: HashQueue[] = running['sign-in'] <= running.other ? ['sign-in', 'other'] : ['other', 'sign-in']
    const next = order.find((queue) => queues[queue].waiting > 0)
    if (next === undefined) return
    running[next] += 1
    queues[next].waiting -= 1
    queues[next].turns.next()?.()
  }
  async function inTurn<T>({ queue, owner }: HashTurn, work: () => Promise<T>): Promise<T> {
    if (running['sign-in'] + running.other >= parallelMax) {
      if (queues[queue].waiting >= waitingMax) throw new AppError('unavailable', httpText.busy, { code: 'http.busy', retryAfterSeconds: 5 })
      queues[queue].waiting += 1
      await new Promise<void>((resolve) => queues[queue].turns.add(owner, resolve))
    } else {
      running[queue] += 1
    }
    try {
      return await work()
    } finally {
      running[queue] -= 1
      startNext()
    }
  }
  const loadOf = (queue: HashQueue): HashLoad => ({ running: running[queue], waiting: queues[queue].waiting })
  return { inTurn, load: () => ({ 'sign-in': loadOf('sign-in'), other: loadOf('other') }) }
}
