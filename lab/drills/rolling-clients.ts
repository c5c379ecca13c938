// The pages and requests of the rolling restart drill, in a process of their own: they report what they saw.
// Run by rolling.ts with the origin, the requests a second and a file of sessions.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { basePath } from '#shared/http/route.ts'
import { goingAwayCode, helloOf, livePath, reconnectLimits } from '#shared/market-data/live/protocol.ts'
import type { BenchSession } from '../bench/many-sessions.ts'
import { signUp } from '../chaos/writers.ts'

export interface RollingReport {
  readonly failures: readonly string[]
  readonly latencyMs: readonly number[]
  readonly signedUp: readonly string[]
  /** Every time that a page was without live data. */
  readonly offlineMs: readonly number[]
  readonly notLive: number
}

const [origin = '', rate = '', sessionsFile = ''] = process.argv.slice(2)
const requestsPerSecond = Number(rate)
const sessions = JSON.parse(readFileSync(sessionsFile, 'utf8')) as BenchSession[]
const tickMs = 50
/** One request in this many creates an account. */
const signUpEvery = 100
const openAtOnce = 50

/** A page: subscribes to a chart, and comes back like the one in the browser. */
class Page {
  /** How long it was without live data, each time. */
  readonly offlineMs: number[] = []
  #lostMs: number | undefined = performance.now()
  #tries = 0
  #isOver = false
  #socket: WebSocket | undefined
  readonly #origin: string
  readonly #session: BenchSession
  /** Pages at one address share limits. */
  readonly #address: string
  #becameLive: (() => void) | undefined

  constructor(origin: string, session: BenchSession, address: string) {
    this.#origin = origin
    this.#session = session
    this.#address = address
  }

  get isLive(): boolean {
    return this.#lostMs === undefined
  }

  /** Resolves with the first candles. */
  open(): Promise<void> {
    return new Promise((resolve) => {
      this.#becameLive = resolve
      this.#connect()
    })
  }

  stop(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #connect(): void {
    const socket = new WebSocket(`${this.#origin.replace('http', 'ws')}${basePath}${livePath}`, {
      headers: { cookie: `tezi_session=${this.#session.cookie}`, 'x-forwarded-for': this.#address },
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('open', () => socket.send(JSON.stringify(helloOf(this.#session.sessionToken))))
    socket.on('message', (data: Buffer) => this.#take(data.toString('latin1', 0, 20)))
    socket.on('error', () => {})
    socket.on('close', (code) => {
      if (this.#isOver) return
      this.#lostMs ??= performance.now()
      const spreadMs = code === goingAwayCode ? reconnectLimits.goingAwaySpreadMs : 0
      const random = Math.random()
      const waitMs = backOffDelayMs(this.#tries, reconnectLimits, random) + spreadMs * random
      this.#tries += 1
      setTimeout(() => !this.#isOver && this.#connect(), waitMs)
    })
  }

  #take(begin: string): void {
    if (begin.startsWith('{"t":"ready"')) this.#socket?.send(JSON.stringify({ t: 'sub', id: 1, slug: 'nifty', timeframe: '1', bars: 60 }))
    if (!begin.startsWith('{"t":"snap"') || this.#lostMs === undefined) return
    this.offlineMs.push(performance.now() - this.#lostMs)
    this.#lostMs = undefined
    this.#tries = 0
    this.#becameLive?.()
  }
}

/** Requests at a fixed rate, however long they take. */
class Load {
  readonly failures: string[] = []
  readonly latencyMs: number[] = []
  readonly signedUp: string[] = []
  #count = 0
  readonly #running = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout

  constructor(origin: string, sessions: readonly BenchSession[]) {
    const startMs = performance.now()
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startMs) * requestsPerSecond) / 1_000
      while (this.#count < due) {
        const running = this.#send(origin, sessions[this.#count % sessions.length])
        this.#running.add(running)
        void running.finally(() => this.#running.delete(running))
      }
    }, tickMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#running)
  }

  async #send(origin: string, session: BenchSession | undefined): Promise<void> {
    const number = this.#count
    this.#count += 1
    const beginMs = performance.now()
    try {
      if (number % signUpEvery === 0) await this.#signUp(origin, `visitor-${number}@drill.example`)
      else await this.#read(origin, session)
    } catch (error) {
      this.failures.push(error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error))
    }
    this.latencyMs.push(performance.now() - beginMs)
  }

  async #signUp(origin: string, email: string): Promise<void> {
    const { status } = await signUp(origin, email)
    if (status === 201) this.signedUp.push(email)
    else this.failures.push(`sign-up ${status}`)
  }

  async #read(origin: string, session: BenchSession | undefined): Promise<void> {
    const headers = { cookie: `tezi_session=${session?.cookie}`, 'session-token': session?.sessionToken ?? '' }
    const answer = await fetch(`${origin}${basePath}/user`, { headers, signal: AbortSignal.timeout(15_000) })
    await answer.arrayBuffer()
    if (answer.status !== 200) this.failures.push(`user ${answer.status}`)
  }
}

const pages = sessions.map((session, index) => new Page(origin, session, `10.0.${index >> 8}.${index % 256}`))
for (let from = 0; from < pages.length; from += openAtOnce)
  await Promise.all(pages.slice(from, from + openAtOnce).map((page) => page.open()))
for (const page of pages) page.offlineMs.length = 0
process.send?.('live')
const load = new Load(origin, sessions)
process.once('message', () => void finish())

async function finish(): Promise<void> {
  await load.stop()
  await delay(1_000)
  const { failures, latencyMs, signedUp } = load
  const report: RollingReport = {
    failures,
    latencyMs,
    signedUp,
    offlineMs: pages.flatMap((page) => page.offlineMs),
    notLive: pages.filter(({ isLive }) => !isLive).length,
  }
  for (const page of pages) page.stop()
  process.send?.(report, () => process.exit())
}
