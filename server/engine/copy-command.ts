// Connections of backups, restores and moves, and their COPY messages: a command that is answered with a stream, and one that takes
// a stream.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Client, type ClientConfig, type Connection } from 'pg'

/**
 * @param signal cuts the connection, which rejects what is running on it
 * @throws Error if the server does not answer within 10 seconds or rejects the user
 */
export async function connect(config: ClientConfig & { replication?: string }, signal?: AbortSignal): Promise<Client> {
  const client = new Client({ ...config, connectionTimeoutMillis: 10_000, application_name: 'tezi backup' })
  // A broken connection also rejects what is running on it.
  client.on('error', () => {})
  signal?.throwIfAborted()
  await client.connect()
  const cut = (): void => void client.connection.stream.destroy()
  signal?.addEventListener('abort', cut)
  client.on('end', () => signal?.removeEventListener('abort', cut))
  return client
}

/** What pg does not declare: the messages of COPY, which it hands to the running query. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** One command whose answer is a stream of COPY messages. pg calls these methods for the query that is running. */
export class CopyCommand {
  readonly rows: (readonly (string | null)[])[] = []
  readonly messages: Readable
  #connection: CopyConnection | undefined
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.messages = new Readable({ objectMode: true, highWaterMark: 16, read: () => this.#connection?.stream.resume() })
  }

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection
    connection.query(this.#text)
  }

  send(message: Buffer): void {
    this.#connection?.sendCopyFromChunk(message)
  }

  /** Asks the server to end the stream. */
  finish(): void {
    this.#connection?.endCopyFrom()
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.rows.push(fields)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser reuses the memory of a message for the next ones.
    if (!this.messages.push(Buffer.from(chunk))) this.#connection?.stream.pause()
  }

  handleReadyForQuery(): void {
    this.messages.push(null)
    // An ended stream asks for no more data; the connection would stay paused and its next statement would never be answered.
    this.#connection?.stream.resume()
  }

  handleError(error: Error): void {
    this.messages.destroy(error)
    this.#connection?.stream.resume()
  }
}

/** A `COPY ... FROM STDIN` with the data of `source`. Await `done`; it rejects with the server's error. */
export class CopyInput {
  readonly done: Promise<void>
  readonly #text: string
  readonly #source: AsyncIterable<Buffer>
  readonly #end = Promise.withResolvers<void>()
  #error: Error | undefined

  constructor(text: string, source: AsyncIterable<Buffer>) {
    this.#text = text
    this.#source = source
    this.done = this.#end.promise
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection as CopyConnection)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#end.resolve()
    else this.#end.reject(this.#error)
  }

  /** The server is ready again after it, unless the connection is lost. */
  handleError(error: Error): void {
    this.#error ??= error
    this.#end.reject(this.#error)
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        if (this.#error !== undefined) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), this.done.catch(() => {})])
      }
      connection.endCopyFrom()
    } catch (error) {
      // The source's reason, not the answer to the cancelled command.
      this.#error ??= error instanceof Error ? error : new Error(String(error))
      connection.sendCopyFail('the source failed')
    }
  }
}
