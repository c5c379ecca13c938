// An address whose packets are dropped: the queue of a stopped process is full, so that a connection is never established.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface SilentHost {
  /** Host and port. */
  readonly address: string
  close(): void
}

const program = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
  process.stdout.write(String(this.address().port))
})`
/** More than the queue takes. */
const fillers = 8

/** Linux only. */
export async function silentHost(): Promise<SilentHost> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGSTOP')
  const port = Number(text.toString())
  const sockets: Socket[] = Array.from({ length: fillers }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  return {
    address: `127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
    },
  }
}
