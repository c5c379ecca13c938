// A scripted proxy: takes CONNECT only, notes what it is asked for, and leads every tunnel to one local port.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export interface ConnectProxy {
  readonly url: string
  /** Hosts and ports it was asked for, and credentials if there were any. */
  readonly asked: string[]
  close(): void
}

export async function connectProxy(targetPort: number): Promise<ConnectProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(405).end()
  })
  server.on('connect', (request, near: Socket) => {
    const credentials = request.headers['proxy-authorization']
    asked.push([request.url, ...(credentials === undefined ? [] : [credentials])].join(' '))
    const far = connect(targetPort, '127.0.0.1', () => near.write('HTTP/1.1 200 Connected\r\n\r\n'))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
