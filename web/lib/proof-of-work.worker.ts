// Solves a challenge of the server away from the page's thread.
/// <reference lib="webworker" />
import { sha256 } from '@noble/hashes/sha2.js'
import { solveChallenge, type Challenge } from '#shared/http/proof-of-work.ts'

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  // A worker's only listener is the page that made it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  ;(globalThis as unknown as DedicatedWorkerGlobalScope).postMessage(solveChallenge(data, sha256))
})
