// Calls again with a solved challenge where the server asks for one; loaded with the call, never with the page.
import type { Challenge, Proof } from '#shared/http/proof-of-work.ts'
import { signInLimitsText as text } from '#shared/text/en/sign-in-limits.ts'
import { refusalOf } from './failure.ts'

/** What to show while a challenge is solved: on the button, and beside it. */
export interface Solving {
  readonly label: string
  readonly note: string
}

export type OnSolving = (solving: Solving | undefined) => void

/** A network that changes its address between two calls needs another challenge. */
const challengesMax = 3

/**
 * Makes a call, and again with a proof of work for each challenge that it is answered with.
 * @param onSolving called with what to show while the device works on a challenge, with undefined after it
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
      const challenge = refusalOf(error)?.challenge
      if (challenge === undefined || solved === challengesMax) throw error
      onSolving({ label: text.solving, note: text.solvingNote })
      try {
        proof = await solveInWorker(challenge)
      } catch {
        // A browser without workers gets the refusal itself.
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
