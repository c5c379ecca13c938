// One WebSocket client: the handshake that authenticates it, its session, subscriptions and rate limits.
import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { tokenBucket, type TokenBucket } from '#server/features/market-data/token-bucket.ts'
import type { CurrentSession } from '#server/http/session.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { inEnglish } from '#shared/http/app-error.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { beatMs, clientMessageSchema, closeCodes, subscriptionsMax, type ClientMessage } from '#shared/market-data/live/contract.ts'
import { goingAwayCode } from '#shared/market-data/live/protocol.ts'
import type { PlainCode } from '#shared/messages/message.ts'
import { accountStateOf, type AccountState, type User } from '#shared/users/user.ts'
import { attempt } from '../real-clock.ts'
import type { FeedClock } from '../feed.ts'
import { frameOf, type BroadcastChannels, type SubscriberConnection } from './broadcast-channel.ts'
import type { Delivery, Waiting } from './delivery-queue.ts'
import { LiveSubscriptions, maySee } from './live-subscriptions.ts'
import type { LiveQuota, UserSocket } from './live-users.ts'
import type { QuoteBoards } from './quote-board.ts'
import type { PendingSocket, WaitingSocket } from './waiting-sockets.ts'

/** Channels of users' own brokers. */
export interface OwnChannels {
  /** Rechecks what this user sees. Never rejects. */
  refresh(user: User): Promise<void>
  /** As of the last `refresh`; undefined if the user sees the shared prices of an instrument. */
  find(user: User, instrument: Instrument): { readonly channels: BroadcastChannels } | undefined
  /** Counts an open page of a user, until the returned function is called. */
  addPage(userId: string): () => void
}

/** Counts a session's open page as present; returns what ends that, `isGone` if the page itself has closed. */
export type Attend = (session: CurrentSession) => (isGone: boolean) => void

export interface LiveConnectionOptions {
  readonly channels: BroadcastChannels
  /** Undefined if own brokers are disabled. */
  readonly own: OwnChannels | undefined
  readonly boards: QuoteBoards
  readonly clock: FeedClock
  /** The session of this token together with the cookie of the upgrade. */
  readonly findSession: (token: string) => Promise<CurrentSession | undefined>
  /** Reads the same session again; undefined once it has ended. */
  readonly readSession: (id: string) => Promise<CurrentSession | undefined>
  readonly isHidden: (slug: string) => boolean
  readonly attend: Attend
  /**
   * The user's share of the socket limits; another socket is closed if they have reached the maximum.
   * Undefined if they have sent too much recently.
   */
  readonly admit: (user: User, socket: UserSocket) => LiveQuota | undefined
  /** Requests a call of `deliverNext` when it is this socket's turn. */
  readonly queue: (connection: Waiting) => void
  /** Sends a text frame, with its end if that is separate; `sent` is called when it has left the process. */
  readonly write: (frame: Buffer, sent: (() => void) | undefined, rest: Buffer | undefined) => void
  /** Called for each sent frame. */
  readonly onFrame: () => void
  /** Starts its wait for a known user. */
  readonly wait: (socket: WaitingSocket) => PendingSocket
  readonly onError: (error: unknown) => void
}

/** Buffered bytes above which a subscriber only gets the newest state, later. */
const waitingBytesMax = 64 * 1024
/** Buffered bytes above which the socket is terminated: the largest frame on top of the bound above, plus many small ones. */
const terminateBytes = 1024 * 1024
/** Larger frames are sent before the next large one is started. */
const largeFrameBytes = 16 * 1024
/** Timeout of the client's answer to a close frame. */
const closeTimeoutMs = 1_000
/** Far less than the silence after which a client reconnects, which starts with the last frame. */
const quietMs = beatMs / 4
/** Close code of a connection that ended without a close frame. */
const lostCode = 1006
/** Message burst, and refill per second. */
const burst = 60
const perSecond = 10

export class LiveConnection implements Waiting, UserSocket, WaitingSocket {
  /** In which second of each round it is rechecked. */
  part = 0
  /** When the user's premium ends; kept, because all sockets are asked twice a second. */
  premiumEndMs: number | undefined
  readonly #socket: WebSocket
  readonly #options: LiveConnectionOptions
  #session: CurrentSession | undefined
  readonly #messages: TokenBucket
  #quota: LiveQuota | undefined
  /** The last state that an open page knows; undefined for other clients. */
  #account: AccountState | undefined
  #endPresence: ((isGone: boolean) => void) | undefined
  #release: (() => void) | undefined
  readonly #pending: PendingSocket
  #isAuthenticating = false
  #pinged: Buffer | undefined
  #sentMs = Number.NEGATIVE_INFINITY
  readonly #connection: Omit<SubscriberConnection, 'defer'>
  readonly #subscriptions: LiveSubscriptions

  constructor(socket: WebSocket, options: LiveConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.#messages = tokenBucket({ size: burst, perSecond, monotonic: () => options.clock.monotonic() })
    this.#connection = {
      isWritable: () => socket.bufferedAmount < waitingBytesMax,
      takeCandles: (candles: number) => this.#quota?.take(candles) === true,
      send: (frame: Buffer, rest?: Buffer) => {
        if (socket.readyState !== socket.OPEN) return
        if (socket.bufferedAmount > terminateBytes) return this.terminate()
        options.onFrame()
        this.#sentMs = options.clock.monotonic()
        const isLarge = frame.length + (rest?.length ?? 0) > largeFrameBytes
        options.write(frame, isLarge ? () => this.#subscriptions.flushed() : undefined, rest)
      },
    }
    this.#subscriptions = new LiveSubscriptions({
      channelOf: (user, instrument, topic) => {
        const { channels } = options.own?.find(user, instrument) ?? options
        return channels.channel(instrument.series, topic)
      },
      boards: options.boards,
      isHidden: options.isHidden,
      connection: this.#connection,
      queue: () => options.queue(this),
    })
    socket.on('message', (data, isBinary) => void this.#take(isBinary ? undefined : data).catch((error: unknown) => this.#fail(error)))
    // Only the pong of our own ping payload shows that the client reads our data.
    socket.on('pong', (data: Buffer) => {
      if (this.#pinged?.equals(data) === true) this.#pinged = undefined
      else this.#countMessage()
    })
    socket.on('ping', (data: Buffer) => {
      if (this.#countMessage() && this.#connection.isWritable()) socket.pong(data)
    })
    socket.on('close', (code) => attempt(() => this.#closed(code), options.onError))
    // The close event follows; without a listener the process would end.
    socket.on('error', () => undefined)
    this.#pending = options.wait(this)
  }

  /** User whose quota its frames use. */
  get userId(): string | undefined {
    return this.#session?.user._id
  }

  /** Rechecks the user and their access. */
  async recheck(): Promise<void> {
    if (this.#session === undefined) return
    this.#session = await this.#options.readSession(this.#session.id)
    if (this.#session === undefined) return this.end(closeCodes.session, 'auth.sessionMissing')
    const { user } = this.#session
    this.premiumEndMs = premiumEndOf(user)
    this.#sendAccount(user)
    await this.#options.own?.refresh(user)
    for (const id of this.#subscriptions.update(user)) this.#reject(id, 'http.premiumRequired')
  }

  get nextCost(): number {
    return this.#subscriptions.nextCost
  }

  deliverNext(): Delivery {
    return this.#subscriptions.deliverNext()
  }

  /** A heartbeat, unless another frame has just shown that the connection works; `isForClock` if it is needed anyway. */
  beat(frame: Buffer, isForClock: boolean): void {
    if (isForClock || this.#options.clock.monotonic() - this.#sentMs >= quietMs) this.#connection.send(frame)
  }

  /** Pings, or terminates the socket if it has not answered the last ping. */
  ping(): void {
    if (this.#pinged !== undefined) return this.terminate()
    this.#pinged = randomBytes(8)
    this.#socket.ping(this.#pinged)
  }

  close(): void {
    this.end(goingAwayCode)
  }

  get waitingBytes(): number {
    return this.#socket.bufferedAmount
  }

  get isUnanswered(): boolean {
    return this.#pinged !== undefined
  }

  get isIdle(): boolean {
    return this.#subscriptions.size === 0
  }

  /** Without waiting for an answer, so that a user never has more open sockets than counted. */
  closeForNewer(): void {
    // A briefly disconnected client may come back.
    if (this.#pinged === undefined) this.end(closeCodes.replaced, 'live.tooManyConnections')
    this.terminate()
  }

  /** Without a close frame, which would queue behind unread data. */
  terminate(): void {
    this.#subscriptions.clear()
    this.#socket.terminate()
  }

  #closed(code: number): void {
    this.#subscriptions.clear()
    this.#pending.end()
    this.#quota?.release()
    this.#release?.()
    this.#endPresence?.(code !== lostCode)
  }

  end(code: number, reason?: PlainCode): void {
    this.#subscriptions.clear()
    this.#socket.close(code, reason === undefined ? '' : inEnglish(reason).slice(0, 120))
    this.#options.clock.after(closeTimeoutMs, () => this.#socket.terminate())
  }

  /** Counts a client message; returns false if it was too much and the socket ends. */
  #countMessage(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false
    if (this.#messages.take(1) && this.#quota?.takeMessage() !== false) return true
    this.end(closeCodes.abuse, 'live.tooManyMessages')
    return false
  }

  async #authenticate(message: Extract<ClientMessage, { t: 'hello' }>): Promise<void> {
    if (this.#isAuthenticating) return this.end(closeCodes.abuse, 'http.badRequest')
    this.#isAuthenticating = true
    this.#pending.helloReceived()
    const found = await this.#options.findSession(message.token)
    if (found !== undefined) await this.#options.own?.refresh(found.user)
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (found === undefined) return this.end(closeCodes.session, 'auth.sessionMissing')
    this.#quota = this.#options.admit(found.user, this)
    if (this.#quota === undefined) return this.end(closeCodes.abuse, 'live.tooManyMessages')
    this.#release = this.#options.own?.addPage(found.user._id)
    this.#pending.end()
    this.#session = found
    this.premiumEndMs = premiumEndOf(found.user)
    if (message.isPage === true) {
      this.#account = accountStateOf(found.user)
      this.#endPresence = this.#options.attend(found)
    }
    this.#connection.send(frameOf({ t: 'ready', nowMs: this.#options.clock.now(), beatMs, account: this.#account }))
  }

  /** Sends the account's state to an open page if it has changed. */
  #sendAccount(user: User): void {
    const account = accountStateOf(user)
    if (this.#account === undefined || JSON.stringify(account) === JSON.stringify(this.#account)) return
    this.#account = account
    this.#connection.send(frameOf({ t: 'account', account }))
  }

  #reject(id: number, code: PlainCode): void {
    this.#connection.send(frameOf({ t: 'end', id, code, message: inEnglish(code) }))
  }

  #subscribe(message: Extract<ClientMessage, { t: 'sub' }>, user: User): void {
    const { id, slug, timeframe, bars, form, since, adjustment = defaultAdjustment } = message
    this.#subscriptions.remove(id)
    const instrument = findInstrument(slug)
    if (instrument === undefined || this.#options.isHidden(slug)) return this.#reject(id, 'instruments.unknown')
    if (!maySee(user, instrument)) return this.#reject(id, 'http.premiumRequired')
    if (this.#subscriptions.size >= subscriptionsMax) return this.#reject(id, 'live.tooManySubscriptions')
    this.#subscriptions.add(user, { id, bars, form, topic: { timeframe, adjustment }, instrument }, since)
  }

  async #take(data: unknown): Promise<void> {
    if (!this.#countMessage()) return
    const message = clientMessageSchema.safeParse(Buffer.isBuffer(data) ? parseJson(data.toString()) : undefined)
    if (!message.success) return this.end(closeCodes.abuse, 'http.badRequest')
    if (message.data.t === 'hello') return this.#authenticate(message.data)
    if (this.#session === undefined) return this.end(closeCodes.session, 'auth.sessionMissing')
    if (message.data.t === 'sub') return this.#subscribe(message.data, this.#session.user)
    if (message.data.t === 'unsub') return this.#subscriptions.remove(message.data.id)
    if (!this.#subscriptions.quote(this.#session.user, message.data.group)) this.end(closeCodes.abuse, 'http.badRequest')
  }

  #fail(error: unknown): void {
    this.#options.onError(error)
    if (this.#session === undefined) this.end(closeCodes.busy, 'http.busy')
  }
}

/** When the user's premium ends, epoch milliseconds. An admin's does not. */
function premiumEndOf({ role, isPremium, premiumEndDate }: User): number | undefined {
  return role !== 'admin' && isPremium && premiumEndDate !== null ? Date.parse(premiumEndDate) : undefined
}
