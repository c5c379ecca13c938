// Password hashing: argon2id off the event loop, at most two at a time, with a bounded queue per kind of work.
import { hash, verify } from '@node-rs/argon2'
import { fairQueue } from '#server/http/fair-queue.ts'
import { AppError } from '#shared/http/app-error.ts'

/** `standard` is OWASP's first choice for argon2id (46 MiB, one pass, one lane); `cheap` is for tests and rejected in production. */
const memoryKibOf = { standard: 47_104, cheap: 64 } as const

export type HashCost = keyof typeof memoryKibOf

const other: HashTurn = { queue: 'other', owner: '' }

const parallelMax = 2
/** The other place stays free for a sign-in, which would else wait for the end of other work. */
const otherMax = 1
/** Per queue. */
const waitingMax = 120

/** Sign-in is separate, so that signed-in users cannot block the sign-in of others. */
export type HashQueue = 'sign-in' | 'other'

export interface HashTurn {
  readonly queue: HashQueue
  /** Owner of the queue slot, such as a client address: one owner's requests do not delay others. */
  readonly owner: string
}

export interface HashLoad {
  readonly running: number
  readonly waiting: number
}

export interface PasswordHasher {
  /** Running and waiting work, by queue. */
  load(): Readonly<Record<HashQueue, HashLoad>>
  /** Hash of a new password in PHC string format. @throws AppError unavailable if the queue is full */
  hash(password: string): Promise<string>
  /** Whether the password matches; without a hash false, after the same time. @throws AppError unavailable if the queue is full */
  matches(password: string, passwordHash: string | undefined, turn?: HashTurn): Promise<boolean>
}

/** Creates a hasher with its own queues; one per process. */
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

/** A hash without a password, verified for unknown emails to equalise timing. */
export function decoyHash(cost: HashCost): string {
  return `$argon2id$v=19$m=${memoryKibOf[cost]},t=1,p=1$dGV6aS1kZWNveS1zYWx0$Vv8SKb2u1rGDFVkCOHmpTr0iSJhhmz8TWPJEiGuuTDU`
}

/** Keyboards compose letters differently; normalisation lets a user sign in from another device. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

/**
 * Two bounded queues with shared slots, of which other work takes at most one. A free slot goes to the queue with fewer
 * running, and to sign-in if equal.
 * Within a queue owners take turns.
 */
function fairQueues() {
  const newQueue = () => ({ turns: fairQueue<() => void>({ quantum: 1, costOf: () => 1 }), waiting: 0 })
  const running = { 'sign-in': 0, other: 0 }
  const queues = { 'sign-in': newQueue(), other: newQueue() }
  const hasSlot = (queue: HashQueue): boolean =>
    running['sign-in'] + running.other < parallelMax && (queue === 'sign-in' || running.other < otherMax)
  function startNext(): void {
    const order: HashQueue[] = running['sign-in'] <= running.other ? ['sign-in', 'other'] : ['other', 'sign-in']
    const next = order.find((queue) => queues[queue].waiting > 0 && hasSlot(queue))
    if (next === undefined) return
    running[next] += 1
    queues[next].waiting -= 1
    queues[next].turns.next()?.()
  }
  async function inTurn<T>({ queue, owner }: HashTurn, work: () => Promise<T>): Promise<T> {
    if (!hasSlot(queue)) {
      if (queues[queue].waiting >= waitingMax) throw new AppError('unavailable', 'http.busy', { retryAfterSeconds: 5 })
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
