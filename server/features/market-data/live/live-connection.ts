// One WebSocket client: its session, subscriptions and rate limits.
import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { tokenBucket, type TokenBucket } from '#server/http/token-bucket.ts'
import type { CurrentSession } from '#server/http/session.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { inEnglish } from '#shared/http/app-error.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { beatMs, clientMessageSchema, closeCodes, subscriptionsMax, type ClientMessage } from '#shared/market-data/live/contract.ts'
import { goingAwayCode } from '#shared/market-data/live/protocol.ts'
import type { PlainCode } from '#shared/text/messages.ts'
import type { User } from '#shared/users/user.ts'
import { attempt } from '../attempt.ts'
import type { Delivery, Waiting } from './delivery-queue.ts'
import { deferredSeats, type DeferredSeats } from './deferred-seats.ts'
import type { ConnectionDeps } from './live-connection-port.ts'
import { liveSubscriptions, maySee, premiumEndOf, type LiveSubscriptions } from './live-subscriptions.ts'
import { openPage, type OpenPage } from './open-page.ts'
import { frameOf, type LiveLine } from './broadcast-channel.ts'
import type { LiveShare, UserSocket } from './live-users.ts'
import type { Wait, WaitingSocket } from './waiting-sockets.ts'

/** Buffered bytes above which a subscriber only gets the newest state, later. */
const waitingBytesMax = 64 * 1024
/** Buffered bytes above which the socket is terminated: the largest frame on top of the bound above, plus many small ones. */
const waitingBytesCut = 1024 * 1024
/** Larger frames are sent before the next large one is started. */
const largeFrameBytes = 16 * 1024
/** Timeout of the client's answer to a close frame. */
const farewellMs = 1_000
/** Far less than the silence after which a client reconnects, which starts with the last frame. */
const quietMs = beatMs / 4
/** Message burst, and refill per second. */
const burst = 60
const perSecond = 10

export class LiveConnection implements Waiting, UserSocket, WaitingSocket {
  /** In which second of each round it is rechecked. */
  part = 0
  /** When the user's premium ends; kept, because all sockets are asked twice a second. */
  premiumEndMs: number | undefined
  readonly #socket: WebSocket
  readonly #options: ConnectionDeps
  #session: CurrentSession | undefined
  readonly #messages: TokenBucket
  #share: LiveShare | undefined
  #page: OpenPage | undefined
  #release: (() => void) | undefined
  readonly #wait: Wait
  #isGreeting = false
  #pinged: Buffer | undefined
  #sentMs = Number.NEGATIVE_INFINITY
  readonly #deferred: DeferredSeats
  readonly #line: Omit<LiveLine, 'defer'>
  readonly #subscriptions: LiveSubscriptions

  constructor(socket: WebSocket, options: ConnectionDeps) {
    this.#socket = socket
    this.#options = options
    this.#messages = tokenBucket({ size: burst, perSecond, monotonic: () => options.clock.monotonic() })
    this.#deferred = deferredSeats({ isRoomy: () => this.#isRoomy(), queue: () => options.queue(this) })
    this.#line = {
      isRoomy: () => this.#isRoomy(),
      mayTake: (candles: number) => this.#share?.take(candles) === true,
      send: (frame: Buffer, rest?: Buffer) => {
        if (socket.readyState !== socket.OPEN) return
        if (socket.bufferedAmount > waitingBytesCut) return this.cut()
        options.onFrame()
        this.#sentMs = options.clock.monotonic()
        const isLarge = frame.length + (rest?.length ?? 0) > largeFrameBytes
        options.write(frame, isLarge ? () => this.#deferred.flushed() : undefined, rest)
      },
    }
    this.#subscriptions = liveSubscriptions({
      roomOf: (...wanted) => options.rooms.room(...wanted),
      boards: options.boards,
      isHidden: options.isHidden,
      line: this.#line,
      onDefer: (seat, room) => this.#deferred.defer(seat, room),
      onLeave: (seat) => this.#deferred.delete(seat),
    })
    socket.on('message', (data, isBinary) => void this.#take(isBinary ? undefined : data).catch((error: unknown) => this.#fail(error)))
    // Only the pong of our own ping payload shows that the client reads our data.
    socket.on('pong', (data: Buffer) => {
      if (this.#pinged?.equals(data) === true) this.#pinged = undefined
      else this.#countMessage()
    })
    socket.on('ping', (data: Buffer) => {
      if (this.#countMessage() && this.#line.isRoomy()) socket.pong(data)
    })
    socket.on('close', (code) => attempt(() => this.#closed(code), options.onError))
    // The close event follows; without a listener the process would end.
    socket.on('error', () => undefined)
    this.#wait = options.wait(this)
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
    this.#page?.update(user)
    await this.#options.rooms.refresh(user)
    for (const id of this.#subscriptions.follow(user)) this.#reject(id, 'http.premiumRequired')
  }

  get nextCost(): number {
    return this.#deferred.nextCost
  }

  deliverNext(): Delivery {
    return this.#deferred.deliverNext()
  }

  /** A heartbeat, unless another frame has just shown that the connection works; `isForClock` if it is needed anyway. */
  beat(frame: Buffer, isForClock: boolean): void {
    if (isForClock || this.#options.clock.monotonic() - this.#sentMs >= quietMs) this.#line.send(frame)
  }

  /** Pings, or terminates the socket if it has not answered the last ping. */
  ping(): void {
    if (this.#pinged !== undefined) return this.cut()
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
  giveWay(): void {
    // A briefly disconnected client may come back.
    if (this.#pinged === undefined) this.end(closeCodes.replaced, 'live.tooManyConnections')
    this.cut()
  }

  /** Without a close frame, which would queue behind unread data. */
  cut(): void {
    this.#drop()
    this.#socket.terminate()
  }

  #closed(code: number): void {
    this.#drop()
    this.#wait.end()
    this.#share?.leave()
    this.#release?.()
    this.#page?.close(code)
  }

  #isRoomy(): boolean {
    return this.#socket.bufferedAmount < waitingBytesMax
  }

  end(code: number, reason?: PlainCode): void {
    this.#drop()
    this.#socket.close(code, reason === undefined ? '' : inEnglish(reason).slice(0, 120))
    this.#options.clock.after(farewellMs, () => this.#socket.terminate())
  }

  #drop(): void {
    this.#subscriptions.clear()
    this.#deferred.clear()
  }

  /** Counts a client message; returns false if it was too much and the socket ends. */
  #countMessage(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false
    if (this.#messages.take(1) && this.#share?.takeMessage() !== false) return true
    this.end(closeCodes.abuse, 'live.tooManyMessages')
    return false
  }

  async #greet(message: Extract<ClientMessage, { t: 'hello' }>): Promise<void> {
    if (this.#isGreeting) return this.end(closeCodes.abuse, 'http.badRequest')
    this.#isGreeting = true
    this.#wait.greeted()
    const found = await this.#options.findSession(message.token)
    if (found !== undefined) await this.#options.rooms.refresh(found.user)
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (found === undefined) return this.end(closeCodes.session, 'auth.sessionMissing')
    this.#share = this.#options.admit(found.user, this)
    if (this.#share === undefined) return this.end(closeCodes.abuse, 'live.tooManyMessages')
    this.#release = this.#options.rooms.hold(found.user._id)
    this.#wait.end()
    this.#session = found
    this.premiumEndMs = premiumEndOf(found.user)
    if (message.isPage === true) this.#page = openPage(found, { send: this.#line.send, attend: this.#options.attend })
    this.#line.send(frameOf({ t: 'ready', nowMs: this.#options.clock.now(), beatMs, account: this.#page?.account }))
  }

  #reject(id: number, code: PlainCode): void {
    this.#line.send(frameOf({ t: 'end', id, code, message: inEnglish(code) }))
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
    if (message.data.t === 'hello') return this.#greet(message.data)
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
