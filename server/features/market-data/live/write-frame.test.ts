// Frames as a WebSocket client reads them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { writeFrame } from './write-frame.ts'

test('texts of any length arrive whole or in two parts, in order, once each, and between frames of the library', async () => {
  const texts = [0, 1, 125, 126, 65_535, 65_536, 70_000, 16_384, 16_385].map((length) => `${'प'.repeat(length % 7)}${'x'.repeat(length)}`)
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      for (const text of texts) {
        const frame = Buffer.from(text)
        writeFrame(stream, frame)
        socket.ping()
        // Again, as for the next socket of a broadcast.
        writeFrame(stream, frame, () => undefined)
        writeFrame(stream, frame.subarray(0, 100), undefined, frame.subarray(100))
      }
      socket.send('last', () => socket.close())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const received: string[] = []
  await new Promise((resolve, reject) => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    client.on('message', (data: Buffer, isBinary) => received.push(isBinary ? 'binary' : data.toString()))
    client.on('close', resolve)
    client.on('error', reject)
  })
  server.close()
  expect(received).toEqual([...texts.flatMap((text) => [text, text, text]), 'last'])
})
