// Normal users during an attack: they look at a chart, load candles and read their account, and measure the durations.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { basePath } from '#shared/http/route.ts'
import type { AbuseSession, Note, Observed } from './attack.ts'

/** Milliseconds by kind of call; Infinity for failed ones. */
export type Timings = Readonly<Record<string, readonly number[]>>

export interface HonestUsers {
  /** Measurements since the last call. */
  take(): Timings
  stop(): Promise<void>
}

const callTimeoutMs = 10_000
const snapshotEveryMs = 1_000

/** The first two share the HTTP calls, and all hold a socket; `observe` adds what an attack is about. */
export async function startHonestUsers(
  address: string,
  sessions: readonly AbuseSession[],
  observe?: (observed: Observed) => Promise<void>,
): Promise<HonestUsers> {
  let timings: Record<string, number[]> = {}
  const note: Note = (kind, ms) => void (timings[kind] ??= []).push(ms)
  const end = new AbortController()
  const [first, second] = sessions
  if (first === undefined || second === undefined) throw new Error('there must be two honest users at least')

  function read(path: string, session?: AbuseSession): Promise<boolean> {
    const headers = session === undefined ? {} : { cookie: session.cookie, 'session-token': session.token }
    return fetch(address + path, { headers, signal: AbortSignal.timeout(callTimeoutMs) }).then(
      (answer) => answer.arrayBuffer().then(() => answer.ok),
      () => false,
    )
  }

  async function call(kind: string, path: string, everyMs: number, session?: AbuseSession): Promise<void> {
    while (!end.signal.aborted) {
      const startMs = performance.now()
      const isOk = await read(path, session)
      note(kind, isOk ? performance.now() - startMs : Infinity)
      await delay(everyMs)
    }
  }

  // One-time reads per timeframe are not part of the attack's cost.
  for (const timeframe of knownTimeframes) await read(`${basePath}/market/candles/nifty?timeframe=${timeframe}&limit=1500`, first)
  const runs = [
    call('GET /healthz', '/healthz', 20),
    call('GET /user', `${basePath}/user`, 50, first),
    call('GET candles', `${basePath}/market/candles/nifty?timeframe=5&limit=500`, 100, second),
    ...sessions.map((session, index) =>
      watch(address, { session, note, signal: end.signal, startMs: (index * snapshotEveryMs) / sessions.length }),
    ),
    ...(observe === undefined ? [] : [observe({ address, session: first, note, signal: end.signal })]),
  ]
  await delay(0)
  return {
    take() {
      const taken = timings
      timings = {}
      return taken
    },
    async stop() {
      end.abort()
      await Promise.all(runs)
    },
  }
}

interface WatchOptions {
  readonly session: AbuseSession
  readonly note: Note
  readonly signal: AbortSignal
  /** Offset of the first subscription, so that users do not act at the same moment. */
  readonly startMs: number
}

/** Follows one chart, changes its timeframe once a second, and reconnects when it is cut. */
async function watch(address: string, { session, note, signal, startMs }: WatchOptions): Promise<void> {
  const timeframes = ['1', '5', '15'] as const
  await delay(startMs)
  let id = 0
  while (!signal.aborted) {
    const socket = new WebSocket(address.replace(/^http/, 'ws') + basePath + livePath, { headers: { cookie: session.cookie } })
    let askedMs = 0
    let answered: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve())
      socket.on('error', () => resolve())
    })
    const ready = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { t: string; id?: number; nowMs?: number }
        if (message.t === 'ready') resolve()
        // Both clocks are of this machine.
        if (message.t === 'beat' && message.nowMs !== undefined) note('live frame', Date.now() - message.nowMs)
        if (message.t === 'snap' && message.id === id) {
          note('snapshot of 300', performance.now() - askedMs)
          answered()
        }
      })
    })
    socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: session.token })))
    await Promise.race([ready, closed])
    while (!signal.aborted && socket.readyState === socket.OPEN) {
      const answer = new Promise<boolean>((resolve) => {
        answered = () => resolve(true)
      })
      if (id > 0) socket.send(JSON.stringify({ t: 'unsub', id }))
      id += 1
      askedMs = performance.now()
      socket.send(JSON.stringify({ t: 'sub', id, slug: 'nifty', timeframe: timeframes[id % timeframes.length], bars: 300 }))
      const isAnswered = await Promise.race([answer, closed.then(() => false), delay(callTimeoutMs, false)])
      if (!isAnswered && !signal.aborted) note('snapshot of 300', Infinity)
      await Promise.race([delay(snapshotEveryMs), closed])
    }
    socket.terminate()
    await closed
    if (!signal.aborted) await delay(500)
  }
}
