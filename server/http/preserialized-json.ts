// JSON replies in pieces: large cached responses are not serialized for each request, and long lists are not held in memory.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const mark = Symbol('ready JSON')

export interface ReadyJson {
  readonly [mark]: true
  readonly pieces: readonly Buffer[] | Readable
}

/** Marks a string, or consecutive buffers, as the whole reply. It bypasses the reply schema, so its creator ensures the format. */
export function preserializedJson(json: string | readonly Buffer[]): ReadyJson {
  return { [mark]: true, pieces: typeof json === 'string' ? [Buffer.from(json)] : json }
}

/** A list in batches, as its route serializes it: the reply schema applies to each batch. */
export function streamedArray(batches: AsyncIterable<readonly unknown[]>, reply: FastifyReply): ReadyJson {
  async function* text(): AsyncGenerator<string> {
    let separator = '['
    for await (const batch of batches) {
      if (batch.length === 0) continue
      yield separator + (reply.serialize(batch) as string).slice(1, -1)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }
  return { [mark]: true, pieces: Readable.from(text()) }
}

export function isReadyJson(answer: unknown): answer is ReadyJson {
  return typeof answer === 'object' && answer !== null && mark in answer
}

/** Sets the headers of a preserialized reply and returns its payload. */
export function payloadOf({ pieces }: ReadyJson, reply: FastifyReply): Readable | Buffer | undefined {
  void reply.type('application/json; charset=utf-8')
  if (pieces instanceof Readable) return pieces
  if (pieces.length < 2) return pieces[0]
  void reply.header(
    'content-length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  return new Pieces(pieces)
}

/** Writes consecutive buffers at once: one call of the system, and no copy. */
class Pieces extends Readable {
  readonly #pieces: readonly Buffer[]

  constructor(pieces: readonly Buffer[]) {
    super({ read: () => undefined })
    this.#pieces = pieces
    this.push(null)
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    const response = target as unknown as ServerResponse
    response.cork()
    for (const piece of this.#pieces) response.write(piece)
    response.end()
    response.uncork()
    this.resume()
    return target
  }
}
