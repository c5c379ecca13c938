// Subscription state machine: transition table, and random walks that must never lose a paid day.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs } from '../base/durations.ts'
import { addMonths, firstTerm, termAfter, type Term } from './term.ts'
import { actionsFor, nextStatus, type SubscriptionCommand, type SubscriptionStatus } from './subscription-status.ts'

const commands = ['submit', 'accept', 'decline', 'suspend', 'expire'] as const

test.each<[SubscriptionStatus | null, boolean, (SubscriptionStatus | undefined)[]]>([
  //               submit     accept  decline    suspend   expire
  [null, false, ['pending', undefined, undefined, undefined, undefined]],
  ['pending', false, [undefined, 'paid', 'cancel', undefined, undefined]],
  ['pending', true, [undefined, 'paid', 'paid', undefined, undefined]],
  ['paid', true, ['pending', undefined, undefined, 'cancel', undefined]],
  ['paid', false, ['pending', undefined, undefined, 'cancel', 'cancel']],
  ['cancel', false, ['pending', 'paid', undefined, undefined, undefined]],
])('from %s with days left: %s [spec 4.1]', (status, hasTerm, expected) => {
  expect(commands.map((command) => nextStatus({ status, hasTerm }, command))).toEqual(expected)
})

test("the admin's buttons are the possible commands", () => {
  for (const status of [null, 'pending', 'paid', 'cancel'] as const) {
    const possible = (['accept', 'decline', 'suspend'] as const).filter(
      (command) => nextStatus({ status, hasTerm: false }, command) !== undefined,
    )
    expect(actionsFor(status)).toEqual(possible)
  }
})

const start = Date.parse('2026-01-15T10:00:00+05:30')
const stepArbitrary = fc.record({
  command: fc.constantFrom<SubscriptionCommand>(...commands),
  waitDays: fc.integer({ min: 0, max: 45 }),
  months: fc.integer({ min: 1, max: 24 }),
})

test('no random walk reaches an invalid state or loses a paid day', async () => {
  await assertProperty(
    fc.property(fc.array(stepArbitrary, { maxLength: 40 }), (steps) => {
      let status: SubscriptionStatus | null = null
      let term: Term | undefined
      let nowMs = start
      for (const { command, waitDays, months } of steps) {
        nowMs += waitDays * dayMs
        const hasTerm: boolean = term !== undefined && term.endMs > nowMs
        const next: SubscriptionStatus | undefined = nextStatus({ status, hasTerm }, command)
        if (next === undefined) continue
        if (command === 'accept') {
          const leftMs: number = hasTerm && term !== undefined ? term.endMs - nowMs : 0
          term = termAfter(term, nowMs, months)
          // A month has at least 28 days; remaining days are added.
          expect(term.endMs - nowMs).toBeGreaterThanOrEqual(leftMs + months * 28 * dayMs)
        } else if (command === 'suspend') {
          term = undefined
        } else if (command === 'decline' && hasTerm) {
          expect(next).toBe('paid')
        }
        status = next
        if (status === 'paid' && command !== 'decline') expect(command).toBe('accept')
      }
    }),
  )
})

test('adding months gives the anchor day or the last day of the month, at the same time of day', async () => {
  await assertProperty(
    fc.property(fc.integer({ min: start, max: start + 3650 * dayMs }), fc.integer({ min: 1, max: 120 }), (fromMs, months) => {
      const term = firstTerm(fromMs, months)
      const from = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO('Asia/Kolkata')
      const end = Temporal.Instant.fromEpochMilliseconds(term.endMs).toZonedDateTimeISO('Asia/Kolkata')
      expect(end.day).toBe(Math.min(from.day, end.daysInMonth))
      expect((end.year - from.year) * 12 + end.month - from.month).toBe(months)
      expect(end.toPlainTime().equals(from.toPlainTime())).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  ['2027-01-31T12:00', 1, '2027-02-28T12:00'],
  ['2028-01-31T12:00', 1, '2028-02-29T12:00'],
  ['2027-01-31T12:00', 2, '2027-03-31T12:00'],
  ['2027-01-31T12:00', 3, '2027-04-30T12:00'],
  ['2026-08-31T12:00', 6, '2027-02-28T12:00'],
  ['2026-12-31T23:59', 1, '2027-01-31T23:59'],
  ['2026-11-30T00:00', 3, '2027-02-28T00:00'],
  ['2028-02-29T09:15', 12, '2029-02-28T09:15'],
  ['2026-11-20T18:30', 120, '2036-11-20T18:30'],
])('%s in India plus %i months is %s', (from, months, to) => {
  expect(firstTerm(Date.parse(`${from}:00+05:30`), months).endMs).toBe(Date.parse(`${to}:00+05:30`))
})

test('a renewal restores the anchor day after a short month', () => {
  const first = firstTerm(Date.parse('2027-01-31T12:00:00+05:30'), 1)
  const renewed = termAfter(first, first.endMs - 3 * dayMs, 1)
  expect(renewed.endMs).toBe(Date.parse('2027-03-31T12:00:00+05:30'))
  expect(renewed.startMs).toBe(first.startMs)
  const late = termAfter(first, first.endMs + 3 * dayMs, 1)
  expect([late.startMs, late.anchorDay]).toEqual([first.endMs + 3 * dayMs, 3])
  expect(late.endMs).toBe(addMonths(first.endMs + 3 * dayMs, 1, 3))
})

test('a renewal in the exact millisecond of the end starts a new term', () => {
  const first = firstTerm(Date.parse('2027-01-31T12:00:00+05:30'), 1)
  expect(termAfter(first, first.endMs, 1)).toEqual(firstTerm(first.endMs, 1))
  expect(termAfter(first, first.endMs - 1, 1).startMs).toBe(first.startMs)
})
