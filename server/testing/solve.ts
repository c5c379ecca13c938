// Solves the challenge of a 429 response, as the browser does.
import { createHash } from 'node:crypto'
import { problemSchema } from '#shared/http/api-error.ts'
import { solveChallenge, type Proof } from '#shared/http/proof.ts'

/** @throws Error if the response has no challenge */
export function solve(answer: { json(): unknown }): Proof {
  const { challenge } = problemSchema.parse(answer.json())
  if (challenge === undefined) throw new Error('The response has no challenge.')
  return solveChallenge(challenge, (bytes) => createHash('sha256').update(bytes).digest())
}
