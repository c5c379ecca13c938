// Random sequences of decisions, undos and waiting: no paid day is gained or lost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { addPlans, expectHistoryToReplay, stateOf } from '#server/testing/subscriptions.ts'
import { assertProperty, fc } from '#testing/property.ts'
import { subscriptionsService } from './service.ts'

let server: TestApp
let references = 0
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

const step = fc.oneof(
  fc.record({ act: fc.constantFrom('submit', 'accept', 'new', 'rest', 'decline', 'undo', 'undo', 'expire'), waitMs: fc.constant(0) }),
  fc.record({ act: fc.constantFrom('decline', 'undo'), waitMs: fc.integer({ min: 0, max: 2 * hourMs }) }),
  fc.record({ act: fc.constantFrom('submit', 'decline', 'rest', 'expire'), waitMs: fc.integer({ min: 0, max: 40 * dayMs }) }),
)

interface Ledger {
  /** Paid time left: running, or cut off by a suspension. */
  readonly runningMs: number
  readonly cutMs: number
}

/** A user alone with one admin, and the expected paid time beside the database. */
async function play(steps: readonly { act: string; waitMs: number }[]): Promise<void> {
  await server.reset()
  await addPlans(server)
  const user = await server.addUser()
  const actor = { ...(await server.addUser({ role: 'admin' })), address: '10.0.0.1', sessionId: '', confirmedAtMs: 0 }
  const service = subscriptionsService({ db: server.database.db, rateLimiter: noRateLimits, now: () => server.clock.nowMs })
  const facts = async () => {
    const { user: row, requests } = await stateOf(server, user.id)
    return { row, requests }
  }
  type Facts = Awaited<ReturnType<typeof facts>>
  let ledger: Ledger = { runningMs: 0, cutMs: 0 }
  let last: { readonly change: string; readonly atMs: number; readonly before: Facts; readonly ledger: Ledger } | undefined

  async function act(name: string): Promise<void> {
    const before = await facts()
    const kept = ledger
    if (name === 'undo') {
      await service.undo(actor, { id: user.id, change: last?.change ?? '1' })
      if (last === undefined) throw new Error('an undo without a decision was possible')
      expect(server.clock.nowMs - last.atMs).toBeLessThanOrEqual(hourMs)
      expect(await facts()).toEqual(last.before)
      // Time goes on meanwhile, but nothing else is lost.
      const running = Math.max(0, last.ledger.runningMs - (server.clock.nowMs - last.atMs))
      ledger = { runningMs: running, cutMs: last.ledger.cutMs }
      last = undefined
      return
    }
    if (name === 'submit') {
      references += 1
      await service.submit(user.id, { type: 'regular', utrNo: String(632_600_000_000 + references) })
      last = undefined
      return
    }
    if (name === 'expire') {
      if ((await service.expire()) > 0) {
        ledger = { runningMs: 0, cutMs: 0 }
        last = undefined
      }
      return
    }
    const term = name === 'rest' || name === 'new' ? name : undefined
    const { change } = await service.setStatus(actor, { id: user.id, status: name !== 'decline', term })
    const after = await facts()
    if (change === last?.change) return
    const endMs = after.row.premium_end?.getTime() ?? 0
    if (term === 'rest') ledger = { runningMs: kept.cutMs, cutMs: 0 }
    else if (name !== 'decline') {
      const grantedMs = endMs - server.clock.nowMs - kept.runningMs
      expect(grantedMs).toBeGreaterThanOrEqual(89 * dayMs)
      expect(grantedMs).toBeLessThanOrEqual(92 * dayMs)
      ledger = { runningMs: kept.runningMs + grantedMs, cutMs: 0 }
    } else if (before.row.status === 'paid') ledger = { runningMs: 0, cutMs: kept.runningMs }
    last = { change, atMs: server.clock.nowMs, before, ledger: kept }
  }

  for (const { act: name, waitMs: givenMs } of steps) {
    // The latest request is found by its time.
    const waitMs = givenMs + 1
    server.clock.nowMs += waitMs
    ledger = { ...ledger, runningMs: Math.max(0, ledger.runningMs - waitMs) }
    const before = await facts()
    await act(name).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || !['conflict', 'invalid'].includes(error.kind)) throw error
      expect(await facts()).toEqual(before)
    })
    const { row } = await facts()
    const leftMs = row.status === 'cancel' ? 0 : Math.max(0, (row.premium_end?.getTime() ?? 0) - server.clock.nowMs)
    expect(leftMs).toBe(ledger.runningMs)
    await expectHistoryToReplay(server, user.id)
  }
}

test('a paid day is never gained or lost by decisions and undos', async () => {
  await assertProperty(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), play), { numRuns: 15 })
}, 240_000)
