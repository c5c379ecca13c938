// Repeats a call with a solved proof-of-work challenge if the server requires one; lazy-loaded.
import type { Challenge, Proof } from '#shared/http/proof.ts'
import { signInLimitsText as text } from '#shared/auth/text/en-session.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'

/** Progress of a challenge: text for the button, and text beside it. */
export interface Solving {
  readonly label: string
  readonly note: string
}

export type OnSolving = (solving: Solving | undefined) => void

/** More than one, because a challenge is bound to an IP address, which may change between two calls. */
const challengesMax = 3

/**
 * Makes a call, and repeats it with a proof of work for each challenge in the response.
 * @param onSolving called with the progress while a challenge is solved, with undefined after it
 * @throws what the call throws
 */
export async function withProof<Reply>(
  call: (proof: Proof | undefined) => Promise<Reply>,
  onSolving: OnSolving = () => {},
): Promise<Reply> {
  let proof: Proof | undefined
  for (let solved = 0; ; solved += 1) {
    try {
      return await call(proof)
    } catch (error) {
      const challenge = apiErrorOf(error)?.challenge
      if (challenge === undefined || solved === challengesMax) throw error
      onSolving({ label: text.solving, note: text.solvingNote })
      try {
        proof = await solveInWorker(challenge)
      } catch {
        // Browsers without workers get the original error.
        throw error
      } finally {
        onSolving(undefined)
      }
    }
  }
}

function solveInWorker(challenge: Challenge): Promise<Proof> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('proof-of-work.worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Proof>) => end(() => resolve(data)))
    worker.addEventListener('error', () => end(() => reject(new Error('The worker failed.'))))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(challenge)
  })
}
