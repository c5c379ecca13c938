// The subscriptions of one socket: each belongs to a channel, and moves when its user's prices come from elsewhere.
import { groups, menuOf, type Group, type Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCursor } from '#shared/market-data/live/contract.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { frameOf, type LiveLine, type LiveRoom, type Seat, type SnapshotForm } from './broadcast-channel.ts'
import { quoteTopic, type QuoteBoard, type QuoteBoards, type QuoteSeat } from './quote-board.ts'
import type { TopicName } from './series-view-port.ts'

export interface SubscriptionsOptions {
  readonly roomOf: (user: User, instrument: Instrument, topic: TopicName) => LiveRoom
  readonly boards: QuoteBoards
  readonly isHidden: (slug: string) => boolean
  /** Sends frames to the client. */
  readonly line: Omit<LiveLine, 'defer'>
  /** A subscription waits for candles. */
  readonly onDefer: (seat: Seat, room: LiveRoom) => void
  /** A subscription ended. */
  readonly onLeave: (seat: Seat) => void
}

/** The instruments of a group's menu. */
interface WantedQuotes {
  readonly group: Group
  readonly instruments: readonly Instrument[]
}

export interface Wanted {
  readonly id: number
  readonly bars: number
  readonly form: SnapshotForm
  readonly topic: TopicName
  readonly instrument: Instrument
}

export interface LiveSubscriptions {
  readonly size: number
  add(user: User, wanted: Wanted, since: LiveCursor | undefined): void
  remove(id: number): void
  /** Replaces the quotes of a menu; null ends them. False for an unknown group. */
  quote(user: User, name: string | null): boolean
  /** Moves subscriptions whose source changed, and ends those that the user may no longer see; returns their ids. */
  follow(user: User): readonly number[]
  clear(): void
}

interface Subscription extends Wanted {
  readonly seat: Seat
  readonly room: LiveRoom
}

export function liveSubscriptions(options: SubscriptionsOptions): LiveSubscriptions {
  const { roomOf, line, onDefer, onLeave } = options
  const subscriptions = new Map<number, Subscription>()
  const quotes = liveQuotes(options)

  function enter(wanted: Wanted, room: LiveRoom, since?: LiveCursor): void {
    const { id, bars, form } = wanted
    const seat: Seat = { id, bars, form, line: { ...line, defer: (deferring) => onDefer(deferring, room) }, seq: undefined, epoch: '' }
    subscriptions.set(id, { ...wanted, seat, room })
    room.enter(seat, since)
  }

  function remove(id: number): void {
    const found = subscriptions.get(id)
    if (found === undefined) return
    found.room.leave(found.seat)
    onLeave(found.seat)
    subscriptions.delete(id)
  }

  return {
    get size() {
      return subscriptions.size
    },
    add: (user, wanted, since) => enter(wanted, roomOf(user, wanted.instrument, wanted.topic), since),
    remove,
    quote(user, name) {
      const group = groups.find((known) => known === name)
      if (group !== undefined) quotes.quote(user, group)
      else quotes.clear()
      return group !== undefined || name === null
    },
    follow(user) {
      quotes.follow(user)
      const denied: number[] = []
      for (const { room, seat: _, ...wanted } of subscriptions.values()) {
        if (!maySee(user, wanted.instrument)) {
          remove(wanted.id)
          denied.push(wanted.id)
          continue
        }
        const next = roomOf(user, wanted.instrument, wanted.topic)
        if (next === room) continue
        remove(wanted.id)
        enter(wanted, next)
      }
      return denied
    },
    clear() {
      for (const id of subscriptions.keys()) remove(id)
      quotes.clear()
    },
  }
}

/** The quotes of one socket: a seat at the board of the channels that its user may see. */
function liveQuotes({ boards, roomOf, isHidden, line }: SubscriptionsOptions) {
  let current: { readonly wanted: WantedQuotes; readonly board: QuoteBoard | undefined } | undefined
  const seat: QuoteSeat = { line, isBehind: false }

  function boardOf(user: User, { group, instruments }: WantedQuotes): QuoteBoard | undefined {
    const seen = instruments.filter((instrument) => maySee(user, instrument))
    if (seen.length === 0) return undefined
    return boards.board(
      group,
      seen.map((instrument) => ({ slug: instrument.slug, room: roomOf(user, instrument, quoteTopic) })),
    )
  }

  function enter(wanted: WantedQuotes, board: QuoteBoard | undefined): void {
    const before = current?.board
    current = { wanted, board }
    if (board === undefined) line.send(frameOf({ t: 'quotes', group: wanted.group, isAll: true, quotes: [] }))
    else board.enter(seat)
    // Last, because a board closes with its last subscriber.
    if (before !== board) before?.leave(seat)
  }

  function clear(): void {
    current?.board?.leave(seat)
    current = undefined
  }

  return {
    quote(user: User, group: Group): void {
      const wanted = { group, instruments: menuOf(group).filter(({ slug }) => !isHidden(slug)) }
      enter(wanted, boardOf(user, wanted))
    },
    follow(user: User): void {
      if (current === undefined) return
      const { wanted, board } = current
      const next = boardOf(user, wanted)
      if (next !== board) enter(wanted, next)
    },
    clear,
  }
}

export function maySee(user: User, instrument: Instrument): boolean {
  return findAccessRestriction(instrument.isFree ? 'signed-in' : 'premium', user) === undefined
}

/** When the user's premium ends, epoch milliseconds. An admin's does not. */
export function premiumEndOf({ role, isPremium, premiumEndDate }: User): number | undefined {
  return role !== 'admin' && isPremium && premiumEndDate !== null ? Date.parse(premiumEndDate) : undefined
}
