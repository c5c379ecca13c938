// Hashing of passwords: argon2id with 46 MiB, at most two at a time beside the event loop, a bounded queue before it.
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'

/** OWASP's first choice for argon2id: 46 MiB, one pass, one lane. The library's default algorithm is argon2id. */
const options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }
const parallelMax = 2
const waitingMax = 120

/** A hash of nothing anyone knows: verified against for unknown emails, so that they take the same time. */
const decoyHash = '$argon2id$v=19$m=47104,t=1,p=1$dGV6aS1kZWNveS1zYWx0$Vv8SKb2u1rGDFVkCOHmpTr0iSJhhmz8TWPJEiGuuTDU'

let running = 0
const waiting: (() => void)[] = []

/** Hash of a new password in the PHC string form. @throws AppError unavailable when too many wait already. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalise(password), options))
}

/** True when the password belongs to the hash; without a hash the same work is done for nothing and the answer is false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? decoyHash, normalise(password)))
  return matches && passwordHash !== undefined
}

/** Keyboards differ in how they compose letters; one spelling keeps a person from being locked out by another phone. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= parallelMax) {
    if (waiting.length >= waitingMax) throw new AppError('unavailable', httpText.busy, { code: 'http.busy', retryAfterSeconds: 5 })
    // The one who leaves hands its place over, so `running` does not change here.
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
