// Proof of work: the price of an attempt when the rate limit is used up.
import { z } from 'zod'

/**
 * Part of a 429 response: for each round from 0, find a nonce such that SHA-256 of seed (16 bytes, in hexadecimal),
 * round and nonce (4 bytes each, big-endian) starts with `bits` zero bits. No `.describe()`, which browsers would load.
 */
export const challengeSchema = z.object({ token: z.string(), seed: z.string(), rounds: z.int(), bits: z.int() })

/** The solution of a challenge, sent with the repeated call; `token` is the challenge's. */
export const proofSchema = z.object({ token: z.string().max(500), nonces: z.array(z.int().min(0).max(0xffffffff)).max(32) })

export type Challenge = z.output<typeof challengeSchema>
export type Proof = z.output<typeof proofSchema>

type Sha256 = (bytes: Uint8Array) => Uint8Array

/** The bytes to hash for a round; the caller writes the nonce into the last four. */
function messageOf(seed: string, round: number): DataView<ArrayBuffer> {
  const message = new DataView(new ArrayBuffer(24))
  for (let index = 0; index < 16; index += 1) message.setUint8(index, Number.parseInt(seed.slice(index * 2, index * 2 + 2), 16))
  message.setUint32(16, round)
  return message
}

function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const head = new DataView(digest.buffer, digest.byteOffset, 4).getUint32(0)
  return bits >= 32 ? head === 0 : head >>> (32 - bits) === 0
}

/** Solves a challenge; takes about rounds * 2^bits hashes. `onRound` is called with the number of rounds done. */
export function solveChallenge(challenge: Challenge, sha256: Sha256, onRound: (done: number) => void = () => {}): Proof {
  const nonces: number[] = []
  for (let round = 0; round < challenge.rounds; round += 1) {
    const message = messageOf(challenge.seed, round)
    const bytes = new Uint8Array(message.buffer)
    let nonce = 0
    for (; ; nonce += 1) {
      message.setUint32(20, nonce)
      if (beginsWithZeros(sha256(bytes), challenge.bits)) break
    }
    nonces.push(nonce)
    onRound(round + 1)
  }
  return { token: challenge.token, nonces }
}

/** Whether the nonces solve a challenge. */
export function verifyProof({ seed, rounds, bits }: Omit<Challenge, 'token'>, nonces: readonly number[], sha256: Sha256): boolean {
  if (nonces.length !== rounds) return false
  return nonces.every((nonce, round) => {
    const message = messageOf(seed, round)
    message.setUint32(20, nonce)
    return beginsWithZeros(sha256(new Uint8Array(message.buffer)), bits)
  })
}
