// A TCP proxy to another server that a test can cut and restore, as when that server crashes and comes back.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpGate {
  readonly port: number
  /** Closes all connections and rejects new ones. */
  cut(): void
  open(): void
  close(): Promise<void>
}

export async function tcpGate(host: string, port: number): Promise<TcpGate> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((near) => {
    if (!isOpen) {
      near.destroy()
      return
    }
    const far = connect(port, host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    open: () => {
      isOpen = true
    },
    async close() {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
