// Solves a proof-of-work challenge off the main thread.
/// <reference lib="webworker" />
import { sha256 } from '@noble/hashes/sha2.js'
import { solveChallenge, type Challenge } from '#shared/http/proof.ts'

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  // The only listener of a worker is the page that created it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  ;(globalThis as unknown as DedicatedWorkerGlobalScope).postMessage(solveChallenge(data, sha256))
})
