// Proof of work: valid and invalid solutions, and the amount of work.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyProof, solveChallenge, type Challenge } from './proof.ts'

let hashes = 0
const sha256 = (bytes: Uint8Array): Uint8Array => {
  hashes += 1
  return createHash('sha256').update(bytes).digest()
}
const challenge: Challenge = { token: 't', seed: '00112233445566778899aabbccddeeff', rounds: 4, bits: 8 }

test('a wrong, a missing and a surplus nonce do not solve it', () => {
  const { nonces } = solveChallenge(challenge, sha256)
  const [first = 0, ...rest] = nonces
  for (const wrong of [[], rest, [...nonces, 0], [first + 1, ...rest], nonces.toReversed(), nonces.map(() => 0)])
    expect(verifyProof(challenge, wrong, sha256)).toBe(false)
  expect(verifyProof({ ...challenge, seed: challenge.seed.replace('0', '1') }, nonces, sha256)).toBe(false)
  expect(verifyProof({ ...challenge, bits: 24 }, nonces, sha256)).toBe(false)
})

test('the solution is valid, takes about rounds * 2^bits hashes, and reports each round', () => {
  hashes = 0
  const rounds: number[] = []
  const proof = solveChallenge({ ...challenge, rounds: 32 }, sha256, (done) => rounds.push(done))
  expect(hashes).toBeGreaterThan((32 * 256) / 2)
  expect(hashes).toBeLessThan(32 * 256 * 2)
  expect(rounds).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  expect(proof.token).toBe('t')
  hashes = 0
  expect(verifyProof({ ...challenge, rounds: 32 }, proof.nonces, sha256)).toBe(true)
  expect(hashes).toBe(32)
})
