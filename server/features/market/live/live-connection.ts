// One socket: who is behind it, what he watches, and how much he may ask.
import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { tokenBucket } from '#server/http/token-bucket.ts'
import type { CurrentSession } from '#server/features/auth/service.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultAdjustment } from '#shared/market/corporate-actions.ts'
import { findInstrument, type Instrument } from '#shared/market/instruments.ts'
import { beatMs, clientMessageSchema, closeCodes, subscriptionsMax, type ClientMessage } from '#shared/market/live.ts'
import { authText } from '#shared/text/en/auth.ts'
import { httpText } from '#shared/text/en/http.ts'
import { liveText } from '#shared/text/en/live.ts'
import { findObstacle } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { deferredSeats } from './deferred-seats.ts'
import type { ConnectionNeeds, LiveConnection } from './live-connection-port.ts'
import { liveSubscriptions } from './live-subscriptions.ts'
import { frameOf } from './live-room.ts'
import type { LiveShare } from './live-users.ts'

/** More than this in the way out, and a watcher gets only what is newest, later. */
const waitingBytesMax = 64 * 1024
/** More than this, and the socket is cut: the largest frame that may be begun at the bound above, and many small ones. */
const waitingBytesCut = 1024 * 1024
/** A frame above this is waited for before the next large one. */
const largeFrameBytes = 16 * 1024
const helloMs = 1_000
/** How long it may take to find out who said hello. */
const sessionMs = 10_000
/** How long a client may take to answer a close frame. */
const farewellMs = 1_000
/** Messages at once, and again per second. */
const burst = 60
const perSecond = 10

export function liveConnection(socket: WebSocket, needs: ConnectionNeeds): LiveConnection {
  const { clock } = needs
  let session: CurrentSession | undefined
  let token: string | undefined
  const messages = tokenBucket({ size: burst, perSecond, monotonic: () => clock.monotonic() })
  let share: LiveShare | undefined
  let release: (() => void) | undefined
  let isGreeting = false
  let pinged: Buffer | undefined
  /** Of the hello, and then of the session that it names. */
  let cancelDeadline = clock.after(helloMs, () => {
    end(closeCodes.noHello, liveText.noHello)
    // Its answer is not waited for: who says nothing takes no place.
    socket.terminate()
  })

  const isRoomy = (): boolean => socket.bufferedAmount < waitingBytesMax
  const deferred = deferredSeats({ isRoomy, queue: () => needs.queue(self) })
  const line = {
    isRoomy,
    mayTake: (candles: number) => share?.take(candles) === true,
    send: (frame: Buffer) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > waitingBytesCut) return cut()
      needs.onFrame()
      socket.send(frame, { binary: false }, frame.length > largeFrameBytes ? () => deferred.flushed() : undefined)
    },
  }

  const subscriptions = liveSubscriptions({
    roomOf: (...wanted) => needs.rooms.room(...wanted),
    line,
    onDefer: (seat, room) => deferred.defer(seat, room),
    onLeave: (seat) => deferred.delete(seat),
  })

  function end(code: number, reason: string): void {
    drop()
    socket.close(code, reason.slice(0, 120))
    clock.after(farewellMs, () => socket.terminate())
  }

  /** Its answer is not waited for, so that a user has no more than the sockets that count. */
  function giveWay(): void {
    // A line that is only cut off for a moment may come back.
    if (pinged === undefined) end(closeCodes.replaced, liveText.tooManyConnections)
    cut()
  }

  /** Without a farewell, which would wait behind what the client does not read. */
  function cut(): void {
    drop()
    socket.terminate()
  }

  function drop(): void {
    cancelDeadline()
    subscriptions.clear()
    deferred.clear()
  }

  /** Counts something that the client sent; false where it was too much and the socket ends. */
  function countMessage(): boolean {
    if (socket.readyState !== socket.OPEN) return false
    if (messages.take(1) && share?.takeMessage() !== false) return true
    end(closeCodes.abuse, liveText.tooManyMessages)
    return false
  }

  async function greet(message: Extract<ClientMessage, { t: 'hello' }>): Promise<void> {
    cancelDeadline()
    if (isGreeting) return end(closeCodes.abuse, httpText.badRequest)
    isGreeting = true
    cancelDeadline = clock.after(sessionMs, () => end(closeCodes.busy, httpText.busy))
    const found = await needs.findSession(message.token)
    if (found !== undefined) await needs.rooms.refresh(found.user)
    if (socket.readyState !== socket.OPEN) return
    if (found === undefined) return end(closeCodes.session, authText.sessionMissing)
    share = needs.admit(found.user, {
      get waitingBytes() {
        return socket.bufferedAmount
      },
      get isUnanswered() {
        return pinged !== undefined
      },
      get isIdle() {
        return subscriptions.size === 0
      },
      giveWay,
    })
    if (share === undefined) return end(closeCodes.abuse, liveText.tooManyMessages)
    release = needs.rooms.hold(found.user._id)
    cancelDeadline()
    needs.onSettled()
    session = found
    token = message.token
    line.send(frameOf({ t: 'ready', nowMs: clock.now(), beatMs }))
  }

  function refuse(id: number, code: string, message: string): void {
    line.send(frameOf({ t: 'end', id, code, message }))
  }

  function subscribe(message: Extract<ClientMessage, { t: 'sub' }>, user: User): void {
    const { id, slug, timeframe, bars, since, adjustment = defaultAdjustment } = message
    subscriptions.remove(id)
    const instrument = findInstrument(slug)
    if (instrument === undefined || needs.isHidden(slug)) return refuse(id, 'market.unknown-instrument', httpText.notFound)
    if (!maySee(user, instrument)) return refuse(id, 'premium-required', httpText.premiumRequired)
    if (subscriptions.size >= subscriptionsMax) return refuse(id, 'market.too-many', liveText.tooManySubscriptions)
    subscriptions.add(user, { id, bars, topic: { timeframe, adjustment }, instrument }, since)
  }

  async function take(data: unknown): Promise<void> {
    if (!countMessage()) return
    const message = clientMessageSchema.safeParse(Buffer.isBuffer(data) ? parseJson(data.toString()) : undefined)
    if (!message.success) return end(closeCodes.abuse, httpText.badRequest)
    if (message.data.t === 'hello') return greet(message.data)
    if (session === undefined) return end(closeCodes.session, authText.sessionMissing)
    if (message.data.t === 'sub') return subscribe(message.data, session.user)
    subscriptions.remove(message.data.id)
  }

  function fail(error: unknown): void {
    needs.onError(error)
    if (session === undefined) end(closeCodes.busy, httpText.busy)
  }

  socket.on('message', (data, isBinary) => void take(isBinary ? undefined : data).catch(fail))
  // Only the answer to our own ping, with its bytes, shows that what we send is read.
  socket.on('pong', (data: Buffer) => {
    if (pinged?.equals(data) === true) pinged = undefined
    else countMessage()
  })
  socket.on('ping', (data: Buffer) => {
    if (countMessage() && line.isRoomy()) socket.pong(data)
  })
  socket.on('close', () => {
    if (session === undefined) needs.onSettled()
    share?.leave()
    release?.()
    drop()
  })
  // The close event follows; without a listener the process would end.
  socket.on('error', () => undefined)

  const self: LiveConnection = {
    get userId() {
      return session?.user._id
    },
    get premiumEndMs() {
      const end = session?.user.isPremium === true ? session.user.premiumEndDate : null
      return end === null ? undefined : Date.parse(end)
    },
    async recheck() {
      if (token === undefined) return
      session = await needs.findSession(token)
      if (session === undefined) return end(closeCodes.session, authText.sessionMissing)
      const { user } = session
      await needs.rooms.refresh(user)
      for (const id of subscriptions.follow(user, (instrument) => maySee(user, instrument)))
        refuse(id, 'premium-required', httpText.premiumRequired)
    },
    get nextCost() {
      return deferred.nextCost
    },
    deliverNext: () => deferred.deliverNext(),
    beat: line.send,
    ping() {
      if (pinged !== undefined) return cut()
      pinged = randomBytes(8)
      socket.ping(pinged)
    },
    close: () => end(1001, ''),
  }
  return self
}

function maySee(user: User, instrument: Instrument): boolean {
  return findObstacle(instrument.isFree ? 'signed-in' : 'premium', user) === undefined
}
