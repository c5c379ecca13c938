// A fetch whose answers have a budget of bytes: a user's own server must not keep the process parsing.
import { tokenBucket, type TokenBucketOptions } from '#server/http/token-bucket.ts'

/** Rejects while earlier answers have used up the budget. */
export function meteredFetch(call: typeof fetch, budget: TokenBucketOptions): typeof fetch {
  const bytes = tokenBucket(budget)
  return async (input, init) => {
    if (bytes.waitMs(1) > 0) throw new TypeError('The server has sent too much')
    const answer = await call(input, init)
    const text = await answer.text()
    bytes.spend(text.length)
    return new Response(text === '' ? null : text, answer)
  }
}
