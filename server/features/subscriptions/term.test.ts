// The term of a user after an admin's decision: months are added to the remaining term, and corrections move its end.
import { expect, test } from 'vitest'
import { subscriptionServerText, subscriptionText as text } from '#shared/text/en/subscriptions.ts'
import type { Subscriber } from './subscription-state.ts'
import { acceptedTerm, endAfterMonths, parseMonths } from './term.ts'

const india = (at: string) => new Date(`${at}:00+05:30`)
const now = india('2026-11-20T12:00')

const user: Subscriber = {
  id: 'u1',
  name: 'Ravi',
  email: 'ravi@example.in',
  status: 'pending',
  premium_start: null,
  premium_end: null,
  anchor_day: null,
  subscription_months: 1,
  payment_type: 'upi',
  utr_no: '632412345678',
}

/** Paid for November; the anchor day of the end is 30. */
const running: Subscriber = {
  ...user,
  status: 'paid',
  premium_start: india('2026-10-30T09:00'),
  premium_end: india('2026-11-30T09:00'),
  anchor_day: 30,
}

test.each([0, -1])('acceptance of %i months is rejected', (months) => {
  expect(() => acceptedTerm({ ...user, subscription_months: months }, now.getTime())).toThrow(
    expect.objectContaining({ kind: 'invalid', message: subscriptionServerText.noMonths, said: { code: 'subscriptions.noMonths' } }),
  )
})

test.each<[string, Partial<Subscriber>]>([
  ['never had one', {}],
  ['had one that is over', { ...running, premium_end: now }],
  ['was suspended', { ...running, status: 'cancel' }],
  ['has an end without a start', { ...running, premium_start: null }],
])('acceptance starts a term now for a user who %s', (_name, values) => {
  expect(acceptedTerm({ ...user, ...values, subscription_months: 3 }, now.getTime())).toEqual({
    premium_start: now,
    premium_end: india('2027-02-20T12:00'),
    anchor_day: 20,
    subscription_months: 3,
  })
})

test.each([
  // The anchor day is clipped in February and restored in March.
  [30, 3, '2027-02-28T09:00'],
  [30, 4, '2027-03-30T09:00'],
  [31, 1, '2026-12-31T09:00'],
  [null, 1, '2026-12-31T09:00'],
])('acceptance of a renewal with the anchor day %j adds %i months to the running term', (anchorDay, months, end) => {
  const renewal = { ...running, status: 'pending', anchor_day: anchorDay, subscription_months: months } as const
  expect(acceptedTerm(renewal, now.getTime())).toEqual({
    premium_start: running.premium_start,
    premium_end: india(end),
    anchor_day: anchorDay ?? 31,
    subscription_months: months,
  })
})

test.each<[string, Partial<Subscriber>]>([
  ['no term', { premium_end: null }],
  ['a term that is over', { premium_end: now }],
  ['a suspended subscription', { status: 'cancel' }],
  ['a pending request', { status: 'pending' }],
  ['no subscription', { status: null }],
])('other months do not move the end of %s', (_name, values) => {
  const changed = { ...running, ...values }
  expect(endAfterMonths(changed, 6, now.getTime())).toBe(changed.premium_end)
})

test.each([
  [30, 1, 1, '2026-11-30T09:00'],
  [30, 1, 3, '2027-01-30T09:00'],
  [30, 1, 4, '2027-02-28T09:00'],
  [30, 3, 1, '2026-09-30T09:00'],
  [31, 1, 2, '2026-12-31T09:00'],
  [null, 1, 2, '2026-12-31T09:00'],
])('with the anchor day %j the change from %i to %i months moves the end to %s', (anchorDay, from, to, end) => {
  const changed = { ...running, anchor_day: anchorDay, subscription_months: from }
  expect(endAfterMonths(changed, to, now.getTime())).toEqual(india(end))
})

test.each([
  [undefined, text.monthsRequired],
  [null, text.monthsRequired],
  ['', text.monthsRequired],
  [' ', text.monthsRequired],
  [0, text.monthsInvalid],
  ['-1', text.monthsInvalid],
  [1.5, text.monthsInvalid],
  [' 3', text.monthsInvalid],
  ['three', text.monthsInvalid],
  [Number.NaN, text.monthsInvalid],
  [121, text.monthsInvalid],
])('%j months are rejected: %s', (given, message) => {
  expect(() => parseMonths(given)).toThrow(
    expect.objectContaining({ kind: 'invalid', message, details: { fields: { months: expect.stringMatching(/^subscriptions\.months/) } } }),
  )
})

test.each([
  [1, 1],
  ['1', 1],
  ['120', 120],
  [120, 120],
])('%j months are %i', (given, months) => {
  expect(parseMonths(given)).toBe(months)
})
