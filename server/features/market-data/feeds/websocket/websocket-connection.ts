// One WebSocket to a provider: connects, keeps the message rate, detects silence, ends once.
import https from 'node:https'
import { WebSocket, type RawData } from 'ws'
import { tokenBucket } from '#server/features/market-data/token-bucket.ts'
import { attempt } from '../../real-clock.ts'
import type { FeedClock, FeedLog } from '../../feed.ts'
import type { Agent } from 'node:https'
import type { LookupFunction } from 'node:net'

/** How a connection to a user-supplied URL is made. */
export interface Dial {
  readonly lookup: LookupFunction
  /** Instead of the lookup, through a proxy. */
  readonly agent: Agent | undefined
}

/** What a connection may send: a user's own server must not cost the others their time. */
export interface IntakeLimits {
  readonly messagesAtOnce: number
  readonly messagesPerSecond: number
  readonly bytesAtOnce: number
  readonly bytesPerSecond: number
  readonly bytesOfMessageMax: number
}

export interface ConnectionOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly limits: {
    /** Messages per second that the provider accepts. */
    readonly messagesPerSecond: number
    /** A connection without any data for this long, pongs included, is dead. The provider is pinged after half of it. */
    readonly silenceMs: number
  }
  /** Of a server that a user has named; unlimited if undefined. */
  readonly intake?: IntakeLimits | undefined
  /** For a user-supplied URL. */
  readonly dial?: Dial | undefined
  readonly clock: FeedClock
  readonly log: FeedLog
}

export interface ConnectionEvents {
  opened(): void
  frame(frame: string | Buffer): void
  /** The other side has sent more than it may; the connection is over. */
  flooded(): void
  /** Emitted once and last; not after `close`. The status is that of a response other than a WebSocket upgrade. */
  ended(reason: string, status?: number): void
}

export interface WebsocketConnection {
  /** Sends in order when the rate allows; unsent frames are dropped at the end. */
  send(frame: string | Buffer): void
  close(): void
}

const dialTimeoutMs = 10_000
/** History comes over HTTP, so stream frames are never larger. */
const frameBytesMax = 4 * 1024 * 1024

/** A queue that runs at most the given number of frames per second. */
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

/** `ws` passes a lookup to the connection, but its types lack it. */
function agentOptions({ url, dial }: ConnectionOptions): object {
  if (dial !== undefined) return dial.agent === undefined ? { lookup: dial.lookup } : { agent: dial.agent }
  // Knows the proxy; without an agent `ws` connects directly.
  return url.startsWith('wss:') ? { agent: https.globalAgent } : {}
}

function open(options: ConnectionOptions): WebSocket {
  const { url, headers, intake } = options
  return new WebSocket(url, {
    headers: { ...headers },
    maxPayload: intake?.bytesOfMessageMax ?? frameBytesMax,
    // A few compressed bytes would become megabytes.
    perMessageDeflate: intake === undefined,
    ...agentOptions(options),
  })
}

function onEnd(socket: WebSocket, end: (reason: string, status?: number) => void): void {
  socket.on('unexpected-response', (_request, response) =>
    end(`answered the call with status ${response.statusCode ?? 0}`, response.statusCode),
  )
  socket.on('error', (error) => end(`failed: ${error.message}`))
  socket.on('close', (code) => end(`closed the connection (${code})`))
}

/** Whether a message of this size may still be received; each call counts one. */
function intakeCheck({ intake, clock }: ConnectionOptions): (bytes: number) => boolean {
  if (intake === undefined) return () => true
  const monotonic = (): number => clock.monotonic()
  const messages = tokenBucket({ size: intake.messagesAtOnce, perSecond: intake.messagesPerSecond, monotonic })
  const bytes = tokenBucket({ size: intake.bytesAtOnce, perSecond: intake.bytesPerSecond, monotonic })
  return (size) => messages.take(1) && bytes.take(size)
}

/** Connects. All events are emitted later, never during the call itself. */
export function openConnection(options: ConnectionOptions, events: ConnectionEvents): WebsocketConnection {
  const {
    clock,
    limits: { messagesPerSecond, silenceMs },
  } = options
  const isAllowed = intakeCheck(options)
  const socket = open(options)
  let isOver = false
  let receivedMs = clock.monotonic()
  let stopWatch = clock.after(dialTimeoutMs, () => end('did not answer the call'))

  const report = (error: unknown): void => options.log('a connection is handled wrongly', { error: String(error) })
  /** An error of ours ends this connection, not the process. */
  const failed = (error: unknown): void => {
    report(error)
    end('was ended by an error')
  }
  const queue = paced(messagesPerSecond, clock, (frame) => socket.send(frame))

  function stop(): void {
    isOver = true
    stopWatch()
    queue.stop()
    // Without an error listener a late error of this socket would end the process.
    socket.removeAllListeners()
    socket.on('error', () => undefined)
    socket.terminate()
  }

  function end(reason: string, status?: number): void {
    if (isOver) return
    stop()
    attempt(() => events.ended(reason, status), report)
  }

  /** Pings at half the limit, to distinguish a quiet market from a dead connection. */
  function watchSilence(): void {
    const quietMs = clock.monotonic() - receivedMs
    if (quietMs >= silenceMs) return end(`was silent for ${Math.round(quietMs / 1000)} s`)
    if (quietMs >= silenceMs / 2) socket.ping()
    stopWatch = clock.after(quietMs >= silenceMs / 2 ? silenceMs - quietMs : silenceMs / 2 - quietMs, watchSilence)
  }

  /** Counts a message; false if the connection is over. */
  function accept(bytes: number): boolean {
    receivedMs = clock.monotonic()
    if (isOver || isAllowed(bytes)) return !isOver
    stop()
    attempt(() => events.flooded(), report)
    return false
  }

  socket.on('open', () =>
    attempt(() => {
      receivedMs = clock.monotonic()
      stopWatch()
      watchSilence()
      events.opened()
    }, failed),
  )
  for (const event of ['ping', 'pong'] as const) socket.on(event, ({ length }) => void accept(length))
  socket.on('message', (data, isBinary) =>
    attempt(() => {
      const frame = frameOf(data, isBinary)
      if (accept(frame.length)) events.frame(frame)
    }, failed),
  )
  onEnd(socket, end)

  return {
    send: (frame) => (isOver ? undefined : queue.add(frame)),
    close: () => (isOver ? undefined : stop()),
  }
}
