// Preserialized JSON replies: large cached responses are not parsed, serialized or joined for each request.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const mark = Symbol('ready JSON')

export interface ReadyJson {
  readonly [mark]: true
  readonly pieces: readonly Buffer[]
}

/** Marks a string, or consecutive buffers, as the whole reply. It bypasses the reply schema, so its creator ensures the format. */
export function preserializedJson(json: string | readonly Buffer[]): ReadyJson {
  return { [mark]: true, pieces: typeof json === 'string' ? [Buffer.from(json)] : json }
}

export function isReadyJson(answer: unknown): answer is ReadyJson {
  return typeof answer === 'object' && answer !== null && mark in answer
}

/** Sets the headers of a preserialized reply and returns its payload. */
export function payloadOf({ pieces }: ReadyJson, reply: FastifyReply): Readable | Buffer | undefined {
  void reply.type('application/json; charset=utf-8')
  if (pieces.length < 2) return pieces[0]
  void reply.header(
    'content-length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  return Readable.from(pieces)
}
