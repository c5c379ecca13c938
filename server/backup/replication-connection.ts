// PostgreSQL's replication protocol: a base backup and a part of the WAL as streams. Commands and SQL share one connection.
import { once } from 'node:events'
import type { Client } from 'pg'
import { connect, CopyCommand } from '../engine/copy-command.ts'
import { formatLsn, parseLsn, type Lsn } from './lsn.ts'

export interface BackupRange {
  readonly startLsn: Lsn
  readonly endLsn: Lsn
}

export interface WalRequest {
  readonly slot: string
  readonly timeline: number
  readonly fromLsn: Lsn
  /** The stream ends at or shortly after it. */
  readonly untilLsn: Lsn
}

const messages = { walData: 0x77, keepalive: 0x6b, archive: 0x6e, data: 0x64, statusUpdate: 0x72 } as const
const walHeaderBytes = 25
const keepaliveReplyAt = 17

/** A connection for backups. Its user needs the attribute `replication`. */
export class ReplicationConnection {
  readonly #client: Client
  #running: CopyCommand | undefined

  private constructor(client: Client) {
    this.#client = client
  }

  /**
   * @param signal cuts the connection, which rejects what is running on it
   * @throws Error if the server does not answer within 10 seconds or rejects the user
   */
  static async open(databaseUrl: string, signal?: AbortSignal): Promise<ReplicationConnection> {
    const client = await connect({ connectionString: databaseUrl, replication: 'database', keepAlive: true }, signal)
    return new ReplicationConnection(client)
  }

  /** The rows of one statement. Parameters are not supported by this protocol. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    return (await this.#client.query<Row>(text)).rows
  }

  /**
   * Takes an advisory lock until the connection closes.
   * @throws Error with code 55P03 if another session holds it for longer than `waitSeconds`
   */
  async lock(id: number, waitSeconds: number): Promise<void> {
    await this.query(`set lock_timeout = '${waitSeconds}s'`)
    await this.query(`select pg_advisory_lock(${id})`)
  }

  /** Streams the data folder as a tar archive to `consume`, and returns the range of WAL that makes it consistent. */
  async baseBackup(label: string, consume: (tar: AsyncIterable<Buffer>) => Promise<unknown>): Promise<BackupRange> {
    const options = `LABEL '${label}', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no'`
    const command = this.#start(`BASE_BACKUP (${options})`)
    await consume(tarOf(command))
    this.#running = undefined
    const [start, tablespace, end] = [command.rows[0]?.[0], command.rows[1]?.[0], command.rows.at(-1)?.[0]]
    if (typeof start !== 'string' || typeof end !== 'string') throw new Error('the server did not report the WAL range of the base backup')
    if (typeof tablespace === 'string') throw new Error('tablespaces are not supported by this backup')
    return { startLsn: parseLsn(start), endLsn: parseLsn(end) }
  }

  /** Streams the WAL between two positions to `consume`; returns the position behind the last byte. */
  async readWal(request: WalRequest, consume: (wal: AsyncIterable<Buffer>) => Promise<unknown>): Promise<Lsn> {
    const { slot, timeline, fromLsn } = request
    const command = this.#start(`START_REPLICATION SLOT ${slot} PHYSICAL ${formatLsn(fromLsn)} TIMELINE ${timeline}`)
    const position = { lsn: fromLsn }
    await consume(walOf(command, request, position))
    this.#running = undefined
    return position.lsn
  }

  async close(): Promise<void> {
    const { stream } = this.#client.connection
    // An unfinished stream cannot be ended politely.
    if (this.#running === undefined) await this.#client.end()
    else if (!stream.destroyed) {
      const closed = once(stream, 'close')
      stream.destroy()
      await closed
    }
  }

  #start(text: string): CopyCommand {
    const command = new CopyCommand(text)
    this.#running = command
    this.#client.query(command)
    return command
  }
}

async function* tarOf({ messages: received }: CopyCommand): AsyncGenerator<Buffer> {
  for await (const message of received as AsyncIterable<Buffer>) {
    if (message[0] === messages.archive && !message.subarray(1).toString().startsWith('base.tar\0'))
      throw new Error('tablespaces are not supported by this backup')
    if (message[0] === messages.data) yield message.subarray(1)
  }
}

async function* walOf(command: CopyCommand, { untilLsn }: WalRequest, position: { lsn: Lsn }): AsyncGenerator<Buffer> {
  let isFinished = false
  for await (const message of command.messages as AsyncIterable<Buffer>) {
    if (isFinished) continue
    if (message[0] === messages.keepalive && message[keepaliveReplyAt] === 1) command.send(aliveMessage())
    if (message[0] !== messages.walData) continue
    const startLsn = message.readBigUInt64BE(1)
    if (startLsn !== position.lsn) throw new Error(`the server sent WAL of ${formatLsn(startLsn)} for ${formatLsn(position.lsn)}`)
    const bytes = message.subarray(walHeaderBytes)
    position.lsn += BigInt(bytes.length)
    isFinished = position.lsn >= untilLsn
    if (isFinished) command.finish()
    yield bytes
  }
}

/** Confirms no position: the slot is moved only when the file is on disk. */
function aliveMessage(): Buffer {
  const message = Buffer.alloc(34)
  message.writeUInt8(messages.statusUpdate)
  return message
}
