// Password hashing: argon2id off the event loop, at most two at a time, a bounded queue before it.
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'

/** `standard` is OWASP's first choice for argon2id (46 MiB, one pass, one lane); `cheap` is for tests, and the configuration refuses it in production. */
const memoryKibOf = { standard: 47_104, cheap: 64 } as const

export type HashCost = keyof typeof memoryKibOf

const parallelMax = 2
const waitingMax = 120

export interface PasswordHasher {
  /** Hash of a new password in the PHC string form. @throws AppError unavailable when the queue is full. */
  hash(password: string): Promise<string>
  /** Whether the password belongs to the hash. Without a hash it takes the same time and answers false. @throws AppError unavailable when the queue is full. */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>
}

/** A hasher with a queue of its own; a process makes one. */
export function passwordHasher(cost: HashCost = 'standard'): PasswordHasher {
  // The library's default algorithm is argon2id.
  const options = { memoryCost: memoryKibOf[cost], timeCost: 1, parallelism: 1 }
  const inTurn = boundedQueue()
  return {
    hash: (password) => inTurn(() => hash(normalise(password), options)),
    async matches(password, passwordHash) {
      const isMatch = await inTurn(() => verify(passwordHash ?? decoyHash(cost), normalise(password)))
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

function boundedQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= parallelMax) {
      if (waiting.length >= waitingMax) throw new AppError('unavailable', httpText.busy, { code: 'http.busy', retryAfterSeconds: 5 })
      // The place is handed over by the one that ends, so `running` does not change here.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
