// One WebSocket to a provider: dialled, kept within the provider's message rate, watched for silence, ended once.
import type { LookupFunction } from 'node:net'
import { WebSocket, type RawData } from 'ws'
import type { FeedClock } from '../feed.ts'

export interface ConnectionOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** How the host is resolved; the system's way where undefined. */
  readonly lookup?: LookupFunction | undefined
  readonly clock: FeedClock
  /** Messages that the provider takes from us in a second. */
  readonly messagesPerSecond: number
  /** A connection on which nothing came for so long, not even the answer to our ping, is dead. */
  readonly silenceMs: number
}

export interface ConnectionEvents {
  opened(): void
  frame(frame: string | Buffer): void
  /** Comes once, and nothing after it; not after `close`. The status is that of an answer other than a WebSocket. */
  ended(reason: string, status?: number): void
}

export interface Connection {
  /** Sends when the rate allows, in order; what is not sent at the end is dropped. */
  send(frame: string | Buffer): void
  close(): void
}

const dialTimeoutMs = 10_000
/** History comes over HTTP, so no frame of a stream has a reason to be greater. */
const mostBytesOfFrame = 4 * 1024 * 1024

/** A queue that lets at most so many run in any second. */
function paced(perSecond: number, clock: FeedClock, run: (frame: string | Buffer) => void) {
  const waiting: (string | Buffer)[] = []
  const sentMs: number[] = []
  let stopTimer: (() => void) | undefined

  function flush(): void {
    stopTimer?.()
    stopTimer = undefined
    while (waiting.length > 0) {
      const now = clock.monotonic()
      while (sentMs.length > 0 && (sentMs[0] ?? 0) <= now - 1000) sentMs.shift()
      if (sentMs.length >= perSecond) {
        stopTimer = clock.after((sentMs[0] ?? now) + 1000 - now, flush)
        return
      }
      const frame = waiting.shift()
      if (frame === undefined) return
      sentMs.push(now)
      run(frame)
    }
  }

  return {
    add(frame: string | Buffer): void {
      waiting.push(frame)
      if (stopTimer === undefined) flush()
    },
    stop(): void {
      waiting.length = 0
      stopTimer?.()
    },
  }
}

function frameOf(data: RawData, isBinary: boolean): string | Buffer {
  const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
  return isBinary ? bytes : bytes.toString('utf8')
}

/** Dials. Everything that happens afterwards comes through `events`, never during the call itself. */
export function openConnection(options: ConnectionOptions, events: ConnectionEvents): Connection {
  const { clock, silenceMs, lookup } = options
  // `ws` hands it on to the connection; its types do not say so.
  const dns: object = lookup === undefined ? {} : { lookup }
  const socket = new WebSocket(options.url, { headers: { ...options.headers }, maxPayload: mostBytesOfFrame, ...dns })
  let isOver = false
  let heardMs = clock.monotonic()
  let stopWatch = clock.after(dialTimeoutMs, () => end('did not answer the call'))

  const queue = paced(options.messagesPerSecond, clock, (frame) => socket.send(frame))

  function stop(): void {
    isOver = true
    stopWatch()
    queue.stop()
    // Without a listener an error of a socket that nobody wants any more would end the process.
    socket.removeAllListeners()
    socket.on('error', () => undefined)
    socket.terminate()
  }

  function end(reason: string, status?: number): void {
    if (isOver) return
    stop()
    events.ended(reason, status)
  }

  /** Half way to the limit it asks for a sign of life, so that a quiet market is told from a dead line. */
  function watchSilence(): void {
    const quietMs = clock.monotonic() - heardMs
    if (quietMs >= silenceMs) return end(`was silent for ${Math.round(quietMs / 1000)} s`)
    if (quietMs >= silenceMs / 2) socket.ping()
    stopWatch = clock.after(quietMs >= silenceMs / 2 ? silenceMs - quietMs : silenceMs / 2 - quietMs, watchSilence)
  }

  const hear = () => {
    heardMs = clock.monotonic()
  }

  socket.on('open', () => {
    hear()
    stopWatch()
    watchSilence()
    events.opened()
  })
  socket.on('ping', hear)
  socket.on('pong', hear)
  socket.on('message', (data, isBinary) => {
    hear()
    events.frame(frameOf(data, isBinary))
  })
  socket.on('unexpected-response', (_request, response) =>
    end(`answered the call with status ${response.statusCode ?? 0}`, response.statusCode),
  )
  socket.on('error', (error) => end(`failed: ${error.message}`))
  socket.on('close', (code) => end(`closed the connection (${code})`))

  return {
    send: (frame) => {
      if (!isOver) queue.add(frame)
    },
    close() {
      if (!isOver) stop()
    },
  }
}
