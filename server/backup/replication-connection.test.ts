// A connection after a stream, against a scripted server that speaks PostgreSQL's protocol.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ReplicationConnection } from './replication-connection.ts'

const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
const cString = (text: string): Buffer => Buffer.from(`${text}\0`)
const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int(body.length + 4, 4), body])
}
const ready = message('Z', Buffer.from('I'))
const complete = message('C', cString('SELECT'))
const oneColumn = message('T', int(1, 2), cString('value'), int(0, 4), int(0, 2), int(25, 4), int(-1, 2), int(-1, 4), int(0, 2))
const row = (value: string | null): Buffer => {
  const field = value === null ? int(-1, 4) : Buffer.concat([int(value.length, 4), Buffer.from(value)])
  return Buffer.concat([oneColumn, message('D', int(1, 2), field), complete])
}
const archiveStart = message('d', Buffer.from('n'), cString('base.tar'), cString(''))

/** The answer to BASE_BACKUP; `parts` messages of data. */
const baseBackup = (parts: number): Buffer =>
  Buffer.concat([
    row('0/100'),
    row(null),
    message('H', Buffer.from([0]), int(0, 2)),
    archiveStart,
    ...Array.from({ length: parts }, () => message('d', Buffer.from('d!'))),
    message('c'),
    row('0/200'),
    ready,
  ])

/** Sends each answer in one piece, so that the client reads it at once. */
async function scriptedServer(answer: (query: string) => Buffer): Promise<string> {
  const serve = (socket: Socket): void => {
    onTestFinished(() => void socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int(0, 4)), ready]))
      socket.on('data', (bytes) => {
        if (bytes[0] === 'Q'.charCodeAt(0)) socket.write(answer(bytes.toString('utf8', 5, bytes.length - 1)))
        else socket.end()
      })
    })
  }
  const server = createServer(serve).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `postgres://tezi@127.0.0.1:${(server.address() as AddressInfo).port}/tezi?sslmode=disable`
}

test.each([1, 15, 16, 17, 40])('a connection can be used after a base backup of %i messages that arrived at once', async (parts) => {
  const url = await scriptedServer((query) => (query.startsWith('BASE_BACKUP') ? baseBackup(parts) : Buffer.concat([row('after'), ready])))
  const connection = await ReplicationConnection.open(url)
  let bytes = 0
  const range = await connection.baseBackup('test', async (tar) => {
    for await (const part of tar) bytes += part.length
  })
  expect({ range, bytes }).toEqual({ range: { startLsn: 0x100n, endLsn: 0x200n }, bytes: parts })
  expect(await connection.query('select 1')).toEqual([{ value: 'after' }])
  await connection.close()
})
