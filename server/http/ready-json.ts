// A reply that is JSON text already: large answers that are kept are not parsed, written or even joined again for each caller.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const mark = Symbol('ready JSON')

export interface ReadyJson {
  readonly [mark]: true
  readonly pieces: readonly Buffer[]
}

/** Marks a text, or bytes that follow each other, as the whole reply. It passes no reply schema, so whoever makes it answers for its shape. */
export function readyJson(json: string | readonly Buffer[]): ReadyJson {
  return { [mark]: true, pieces: typeof json === 'string' ? [Buffer.from(json)] : json }
}

export function isReadyJson(answer: unknown): answer is ReadyJson {
  return typeof answer === 'object' && answer !== null && mark in answer
}

/** Sets the headers of a ready reply and gives what is to be sent. */
export function payloadOf({ pieces }: ReadyJson, reply: FastifyReply): Readable | Buffer | undefined {
  void reply.type('application/json; charset=utf-8')
  if (pieces.length < 2) return pieces[0]
  void reply.header(
    'content-length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  return Readable.from(pieces)
}
