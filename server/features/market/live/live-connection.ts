// One socket: who is behind it, what he watches, and how much he may ask.
import type { WebSocket } from 'ws'
import type { CurrentSession } from '#server/features/auth/service.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { findInstrument, type Instrument } from '#shared/market/instruments.ts'
import { beatMs, clientMessageSchema, closeCodes, subscriptionsMax, type ClientMessage } from '#shared/market/live.ts'
import { authText } from '#shared/text/en/auth.ts'
import { httpText } from '#shared/text/en/http.ts'
import { liveText } from '#shared/text/en/live.ts'
import { findObstacle } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import type { FeedClock } from '../feed.ts'
import { frameOf, type Seat } from './live-room.ts'
import type { LiveRooms } from './live-rooms.ts'

/** More than this in the way out, and a watcher gets only what is newest, later. */
const waitingBytesMax = 64 * 1024
const helloMs = 5_000
/** Messages at once, and again per second. */
const burst = 60
const perSecond = 10

export interface ConnectionNeeds {
  readonly rooms: LiveRooms
  readonly clock: FeedClock
  /** Who has this token together with the cookie of the upgrade. */
  readonly findSession: (token: string) => Promise<CurrentSession | undefined>
  /** Key of the prices that this user gets for an instrument. */
  readonly seriesFor: (user: User, instrument: Instrument) => string
  /** Says whether this user may have one more connection. */
  readonly admit: (user: User) => boolean
  /** Told once, when it is known who this is or when the socket is gone before. */
  readonly onSettled: () => void
  readonly onError: (error: unknown) => void
}

export interface LiveConnection {
  readonly userId: string | undefined
  /** Checks again who this is and what he may see. */
  recheck(): Promise<void>
  /** When his premium ends by itself, epoch milliseconds. */
  readonly premiumEndMs: number | undefined
  beat(frame: Buffer): void
  close(): void
}

interface Subscription {
  readonly instrument: Instrument
  readonly seat: Seat
  readonly leave: () => void
}

export function liveConnection(socket: WebSocket, needs: ConnectionNeeds): LiveConnection {
  const { clock } = needs
  const subscriptions = new Map<number, Subscription>()
  let session: CurrentSession | undefined
  let token: string | undefined
  let tokens = burst
  let filledMs = clock.now()
  let isGreeting = false
  const cancelHello = clock.after(helloMs, () => end(closeCodes.session, authText.sessionMissing))

  const line = {
    isRoomy: () => socket.bufferedAmount < waitingBytesMax,
    send: (frame: Buffer) => {
      if (socket.readyState === socket.OPEN) socket.send(frame, { binary: false })
    },
  }

  function end(code: number, reason: string): void {
    drop()
    socket.close(code, reason.slice(0, 120))
  }

  function drop(): void {
    cancelHello()
    for (const { leave } of subscriptions.values()) leave()
    subscriptions.clear()
  }

  function isTooMuch(): boolean {
    const nowMs = clock.now()
    tokens = Math.min(burst, tokens + ((nowMs - filledMs) / 1000) * perSecond)
    filledMs = nowMs
    tokens -= 1
    return tokens < 0
  }

  async function greet(message: Extract<ClientMessage, { t: 'hello' }>): Promise<void> {
    if (isGreeting) return end(closeCodes.abuse, httpText.badRequest)
    isGreeting = true
    const found = await needs.findSession(message.token)
    if (socket.readyState !== socket.OPEN) return
    if (found === undefined) return end(closeCodes.session, authText.sessionMissing)
    if (!needs.admit(found.user)) return end(closeCodes.abuse, liveText.tooManyConnections)
    cancelHello()
    needs.onSettled()
    session = found
    token = message.token
    line.send(frameOf({ t: 'ready', nowMs: clock.now(), beatMs }))
  }

  function refuse(id: number, code: string, message: string): void {
    line.send(frameOf({ t: 'end', id, code, message }))
  }

  function subscribe(message: Extract<ClientMessage, { t: 'sub' }>, user: User): void {
    const { id, slug, timeframe, bars, since } = message
    subscriptions.get(id)?.leave()
    subscriptions.delete(id)
    const instrument = findInstrument(slug)
    if (instrument === undefined) return refuse(id, 'market.unknown-instrument', httpText.notFound)
    if (!maySee(user, instrument)) return refuse(id, 'premium-required', httpText.premiumRequired)
    if (subscriptions.size >= subscriptionsMax) return refuse(id, 'market.too-many', liveText.tooManySubscriptions)
    const room = needs.rooms.room(needs.seriesFor(user, instrument), timeframe)
    const seat: Seat = { id, bars, line, seq: undefined, epoch: '' }
    subscriptions.set(id, { instrument, seat, leave: () => room.leave(seat) })
    room.enter(seat, since)
  }

  async function take(data: unknown): Promise<void> {
    if (isTooMuch()) return end(closeCodes.abuse, liveText.tooManyMessages)
    const message = clientMessageSchema.safeParse(Buffer.isBuffer(data) ? parseJson(data.toString()) : undefined)
    if (!message.success) return end(closeCodes.abuse, httpText.badRequest)
    if (message.data.t === 'hello') return greet(message.data)
    if (session === undefined) return end(closeCodes.session, authText.sessionMissing)
    if (message.data.t === 'sub') return subscribe(message.data, session.user)
    subscriptions.get(message.data.id)?.leave()
    subscriptions.delete(message.data.id)
  }

  socket.on('message', (data, isBinary) => void take(isBinary ? undefined : data).catch(needs.onError))
  socket.on('close', () => {
    if (session === undefined) needs.onSettled()
    drop()
  })
  // The close event follows; without a listener the process would end.
  socket.on('error', () => undefined)

  return {
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
      for (const [id, { instrument, leave }] of subscriptions) {
        if (maySee(session.user, instrument)) continue
        leave()
        subscriptions.delete(id)
        refuse(id, 'premium-required', httpText.premiumRequired)
      }
    },
    beat: line.send,
    close: () => end(1001, ''),
  }
}

function maySee(user: User, instrument: Instrument): boolean {
  return findObstacle(instrument.isFree ? 'signed-in' : 'premium', user) === undefined
}
