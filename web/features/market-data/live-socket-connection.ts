// The WebSocket of a page: sends the session, detects a silent connection, and reconnects.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { basePath } from '#shared/http/route.ts'
import type { Group } from '#shared/instruments/instruments.ts'
import { closeCodes, goingAwayCode, helloOf, livePath, reconnectLimits } from '#shared/market-data/live/protocol.ts'
import type { ClientMessage, ServerMessage } from '#shared/market-data/live/contract.ts'
import type { AccountState } from '#shared/users/user.ts'

export interface LiveSocketOptions {
  /** Opens a socket; by default the browser's WebSocket. */
  readonly open: (url: string) => WebSocket
  /** Origin of the page, for example https://tezi.example. */
  readonly origin: string
  /** Session token, or undefined while signed out. */
  readonly token: () => string | undefined
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly random: () => number
  /** Called with the server's time, epoch milliseconds, on arrival. */
  readonly onServerTime: (serverMs: number) => void
}

export type MessageOf<Type extends ServerMessage['t']> = Extract<ServerMessage, { t: Type }>
export type SubscriptionMessage = Exclude<ServerMessage, MessageOf<'ready' | 'beat' | 'account'>>

interface LiveSocketEvents {
  /** The server has accepted the session. */
  ready(): void
  account(account: AccountState): void
  message(message: SubscriptionMessage): void
  /** A connection that was ready is lost. */
  lost(): void
  /** The server has closed the connection, because the session has ended. */
  ended(): void
  /** Whether to reconnect. */
  isNeeded(): boolean
}

/** At most one WebSocket at a time: sends the session, detects silence, and reconnects with back-off. */
export class LiveSocketConnection {
  readonly #options: LiveSocketOptions
  readonly #events: LiveSocketEvents
  #socket: WebSocket | undefined
  #isReady = false
  #account: AccountState | undefined
  /** The group whose quotes the server sends. */
  quotes: Group | null = null
  #tries = 0
  #silenceTimeoutMs = 10_000
  #cancelRetry: (() => void) | undefined
  #cancelSilenceTimer: () => void = () => undefined

  constructor(options: LiveSocketOptions, events: LiveSocketEvents) {
    this.#options = options
    this.#events = events
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** The account's state while connected. */
  get account(): AccountState | undefined {
    return this.#account
  }

  send(message: ClientMessage): void {
    // The close event is still to come, and with it the retry that asks for everything again.
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify(message))
  }

  /** Does nothing while a retry is due. */
  open(): void {
    if (this.#cancelRetry === undefined) this.#connect()
  }

  reopen(): void {
    this.#tries = 0
    this.#connect()
  }

  close(): void {
    const closed = this.#socket
    this.#socket = undefined
    this.#isReady = false
    this.#account = undefined
    this.quotes = null
    this.#cancelSilenceTimer()
    closed?.close()
  }

  stopRetrying(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
  }

  #connect(): void {
    const token = this.#options.token()
    if (this.#socket !== undefined || token === undefined) return
    this.stopRetrying()
    const opened = this.#options.open(this.#options.origin.replace(/^http/, 'ws') + basePath + livePath)
    this.#socket = opened
    this.#expectMessage()
    opened.addEventListener('open', () => this.send(helloOf(token)))
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (this.#socket === opened) this.#read(event.data)
    })
    opened.addEventListener('close', (event) => {
      if (this.#socket !== opened) return
      const mayReturn = event.code !== closeCodes.session && event.code !== closeCodes.replaced
      this.#lose(mayReturn, event.code === goingAwayCode ? reconnectLimits.goingAwaySpreadMs : 0)
      if (event.code === closeCodes.session) this.#events.ended()
    })
  }

  /** Any server message proves that the connection works. */
  #expectMessage(): void {
    this.#cancelSilenceTimer()
    this.#cancelSilenceTimer = this.#options.after(this.#silenceTimeoutMs, () => this.#lose(true))
  }

  #lose(mayReturn: boolean, spreadMs = 0): void {
    const wasReady = this.#isReady
    this.close()
    if (wasReady) this.#events.lost()
    if (!mayReturn || !this.#events.isNeeded()) return
    const random = this.#options.random()
    const waitMs = backOffDelayMs(this.#tries, reconnectLimits, random) + Math.round(spreadMs * random)
    this.#tries += 1
    this.stopRetrying()
    this.#cancelRetry = this.#options.after(waitMs, () => {
      this.#cancelRetry = undefined
      this.#connect()
    })
  }

  #read(data: unknown): void {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : undefined
    if (!isServerMessage(message)) return this.#lose(true)
    this.#expectMessage()
    if (message.t === 'ready') this.#start(message)
    else if (message.t === 'beat') this.#options.onServerTime(message.nowMs)
    else if (message.t === 'account') this.#follow(message.account)
    else this.#events.message(message)
  }

  /** A server of an older release sends none. */
  #follow(account: AccountState | undefined): void {
    this.#account = account
    if (account !== undefined) this.#events.account(account)
  }

  #start({ nowMs, beatMs, account }: MessageOf<'ready'>): void {
    this.#isReady = true
    this.#tries = 0
    this.#silenceTimeoutMs = beatMs * 2
    this.#options.onServerTime(nowMs)
    this.#account = account
    this.#events.ready()
    this.#follow(account)
  }
}

const kinds: Readonly<Record<ServerMessage['t'], true>> = {
  ready: true,
  account: true,
  snap: true,
  cont: true,
  upd: true,
  cond: true,
  quotes: true,
  end: true,
  beat: true,
}

/**
 * False for anything that this release of the page does not know. Without the schemas, which every test of the server checks
 * messages against: with their library they would be a quarter of what a page loads before the first candles.
 */
function isServerMessage(value: unknown): value is ServerMessage {
  return typeof value === 'object' && value !== null && 't' in value && typeof value.t === 'string' && Object.hasOwn(kinds, value.t)
}
