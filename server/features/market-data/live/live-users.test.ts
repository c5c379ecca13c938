// The sockets of one user: the maximum of twelve, which one is closed for a new one, and their common rate limit.
import { beforeEach, describe, expect, it } from 'vitest'
import { manualClock, type ManualClock } from '../feeds/testing/manual-clock.ts'
import { liveUsers, type LiveQuota, type LiveUsers, type UserSocket } from './live-users.ts'

interface Scripted {
  isUnanswered: boolean
  isIdle: boolean
}

const socketsMax = 12

function userOfSockets() {
  const users = liveUsers(manualClock(0))
  const gone: number[] = []
  const sockets: Scripted[] = []
  const quotas: LiveQuota[] = []
  return {
    gone,
    sockets,
    quotas,
    sweep: () => users.sweep(),
    admit(userId = 'user'): void {
      const number = sockets.length
      const scripted = { isUnanswered: false, isIdle: false }
      const socket: UserSocket = {
        waitingBytes: 0,
        get isUnanswered() {
          return scripted.isUnanswered
        },
        get isIdle() {
          return scripted.isIdle
        },
        closeForNewer: () => void gone.push(number),
      }
      sockets.push(scripted)
      const quota = users.admit(userId, `session of ${userId}`, socket)
      if (quota === undefined) throw new Error('not admitted')
      quotas.push(quota)
    },
  }
}

function fullUser() {
  const user = userOfSockets()
  for (let count = 0; count < socketsMax; count += 1) user.admit()
  expect(user.gone).toEqual([])
  return user
}

it('closes the oldest one with an unanswered ping for a new one', () => {
  const user = fullUser()
  for (const number of [2, 5, 7]) (user.sockets[number] as Scripted).isUnanswered = true
  ;(user.sockets[0] as Scripted).isIdle = true
  user.admit()
  expect(user.gone).toEqual([2])
})

it('closes the oldest one without subscriptions if all have answered', () => {
  const user = fullUser()
  for (const number of [4, 6]) (user.sockets[number] as Scripted).isIdle = true
  user.admit()
  user.admit()
  expect(user.gone).toEqual([4, 6])
})

it('closes the oldest one if all are in use, one for each new one', () => {
  const user = fullUser()
  for (let count = 0; count < 20; count += 1) user.admit()
  expect(user.gone).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

it('closes none of another user, and none if one has left', () => {
  const user = fullUser()
  user.admit('other')
  user.quotas[3]?.release()
  user.admit()
  expect(user.gone).toEqual([])
  // A closed socket leaves again on its close event.
  user.admit()
  user.quotas[0]?.release()
  user.admit()
  expect(user.gone).toEqual([0, 1])
})

it('gets no candles while more than 1 MB is unread over all sockets of the user; another user does', () => {
  const users = liveUsers(manualClock(0))
  const unread = (waitingBytes: number) => ({ waitingBytes, isUnanswered: false, isIdle: false, closeForNewer: () => undefined })
  const full = unread(1024 * 1024 - 1)
  const [quota, other] = [users.admit('user', 'phone', full), users.admit('other', 'desk', unread(0))]
  expect(quota?.take(10)).toBe(true)
  users.admit('user', 'laptop', unread(1))
  expect(quota?.take(10)).toBe(false)
  expect(other?.take(10)).toBe(true)
  full.waitingBytes = 0
  expect(quota?.take(10)).toBe(true)
})

describe('the messages of one user', () => {
  const messagesAtOnce = 700
  const socketCost = 10
  const socket: UserSocket = { waitingBytes: 0, isUnanswered: false, isIdle: false, closeForNewer: () => undefined }
  let clock: ManualClock
  let users: LiveUsers

  /** Sends as many messages as allowed. */
  function exhaust(userId: string, session: string): number {
    const quota = users.admit(userId, session, socket)
    let sent = 0
    while (quota?.takeMessage() === true) sent += 1
    return sent
  }

  beforeEach(() => {
    clock = manualClock(0)
    users = liveUsers(clock)
  })

  it('are counted over all sockets, and exceeding the limit rejects the next socket', () => {
    const first = users.admit('user', 'phone', socket)
    expect(exhaust('user', 'laptop')).toBe(messagesAtOnce - 2 * socketCost)
    expect(first?.takeMessage()).toBe(false)
    expect(users.mayOpen('phone')).toBe(false)
    expect(users.mayOpen('laptop')).toBe(false)
    expect(users.admit('user', 'tablet', socket)).toBeUndefined()
    // The session is known now, so its next attempt costs no lookup.
    expect(users.mayOpen('tablet')).toBe(false)
  })

  it('of another user, and of an unknown session, are not counted', () => {
    exhaust('user', 'phone')
    expect(users.mayOpen('unknown')).toBe(true)
    expect(exhaust('other', 'unknown')).toBe(messagesAtOnce - socketCost)
  })

  it('over the limit lock the user out for half a minute', () => {
    const quota = users.admit('user', 'phone', socket)
    while (quota?.takeMessage() === true);
    clock.advance(29_999)
    expect(users.mayOpen('phone')).toBe(false)
    expect(quota?.takeMessage()).toBe(false)
    clock.advance(1)
    expect(users.mayOpen('phone')).toBe(true)
    expect(quota?.takeMessage()).toBe(true)
  })

  it('are refilled with 30 a second', () => {
    const quota = users.admit('user', 'phone', socket)
    for (let count = socketCost; count < messagesAtOnce; count += 1) quota?.takeMessage()
    clock.advance(400)
    expect(Array.from({ length: 20 }, () => quota?.takeMessage()).filter(Boolean)).toHaveLength(12)
  })

  it('of 25 sessions evict the oldest from memory', () => {
    exhaust('user', 'session 0')
    for (let number = 1; number < 24; number += 1) users.admit('user', `session ${number}`, socket)
    expect(users.mayOpen('session 0')).toBe(false)
    users.admit('user', 'session 24', socket)
    expect(users.mayOpen('session 0')).toBe(true)
    expect(users.mayOpen('session 24')).toBe(false)
  })

  it('are evicted only when the budget is full again and the user is not locked out', () => {
    const quota = users.admit('user', 'phone', socket)
    while (quota?.takeMessage() === true);
    quota?.release()
    // Full after 24 seconds, but locked out for 30.
    clock.advance(25_000)
    users.sweep()
    expect(users.mayOpen('phone')).toBe(false)
    clock.advance(5_000)
    users.sweep()
    expect(exhaust('user', 'phone')).toBe(messagesAtOnce - socketCost)
  })

  it('are not evicted with the last socket', () => {
    const quota = users.admit('user', 'phone', socket)
    for (let count = socketCost; count < messagesAtOnce; count += 1) quota?.takeMessage()
    quota?.release()
    clock.advance(10_000)
    users.sweep()
    expect(exhaust('user', 'phone')).toBe(10 * 30 - socketCost)
  })
})
