// A minimal HTTP load generator: concurrent connections with one request at a time on each, counted until the time is up.
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  readonly path: string
  /** Of the requests, in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  readonly durationMs: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Runs the load against 127.0.0.1. Every response must be 200 with a Content-Length; anything else rejects. */
export async function measure(load: Load): Promise<Measured> {
  const requests = load.headers.map((headers) => {
    const lines = Object.entries({ host: `127.0.0.1:${load.port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.from(`GET ${load.path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] as Buffer
  const startMs = performance.now()
  const timesMs: number[] = []
  await Promise.all(Array.from({ length: load.connections }, () => oneConnection(load.port, next, startMs + load.durationMs, timesMs)))
  const seconds = (performance.now() - startMs) / 1000
  timesMs.sort((one, other) => one - other)
  const at = (share: number) => timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * share))] ?? Number.NaN
  return { perSecond: timesMs.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function oneConnection(port: number, next: () => Buffer, endMs: number, timesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => send())
    let received = ''
    let sentMs = 0
    const send = () => {
      received = ''
      sentMs = performance.now()
      socket.write(next())
    }
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
      if (!received.startsWith('HTTP/1.1 200') || length === undefined)
        return reject(new Error(`unexpected answer: ${received.slice(0, 200)}`))
      if (received.length < headEnd + 4 + Number(length)) return
      const nowMs = performance.now()
      timesMs.push(nowMs - sentMs)
      if (nowMs < endMs) return send()
      socket.end()
      resolve()
    })
  })
}
