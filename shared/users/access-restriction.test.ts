// When premium is valid, at the boundaries of its dates.
import { expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { cancelReasonOf, findAccessRestriction, hasPremium, isEnding, isPremiumAt } from './access-restriction.ts'

const nowMs = Date.parse('2026-11-20T12:00:00+05:30')

test.each([
  [null, null, false],
  [null, nowMs + 1, false],
  ['cancel', nowMs + 1, false],
  ['expired', nowMs + 1, false],
  ['paid', null, false],
  ['paid', nowMs - 1, false],
  ['paid', nowMs, false],
  ['paid', nowMs + 1, true],
  ['pending', null, false],
  ['pending', nowMs, false],
  ['pending', nowMs + 1, true],
])('status %s with an end at %s is premium: %s', (status, endMs, expected) => {
  expect(isPremiumAt(nowMs, status, endMs)).toBe(expected)
})

test.each([
  [null, null, null, undefined],
  ['pending', nowMs - 1, 'expire', undefined],
  ['paid', nowMs + 1, 'decline', undefined],
  ['cancel', nowMs - 1, null, undefined],
  ['cancel', nowMs - 1, 'accept', undefined],
  ['expired', nowMs - 1, 'expire', undefined],
  ['paid', nowMs, null, 'expired'],
  ['cancel', nowMs - 1, 'expire', 'expired'],
  ['cancel', nowMs - 1, 'suspend', 'suspended'],
  ['cancel', null, 'decline', 'declined'],
] as const)('status %s with an end at %s, ended by %s, has the reason %s', (status, premiumEndMs, endedBy, reason) => {
  expect(cancelReasonOf(nowMs, { status, premiumEndMs, endedBy })).toBe(reason)
})

const daysLeft = (days: number) => new Date(nowMs + days * dayMs).toISOString()

test.each([
  [{ isPremium: false, status: null, premiumEndDate: null }, false],
  [{ isPremium: false, status: 'cancel', reason: 'suspended', premiumEndDate: daysLeft(-1) }, false],
  [{ isPremium: false, status: 'pending', premiumEndDate: daysLeft(-1) }, false],
  [{ isPremium: true, status: 'pending', premiumEndDate: daysLeft(2) }, false],
  [{ isPremium: true, status: 'paid', premiumEndDate: daysLeft(7.01) }, false],
  [{ isPremium: true, status: 'paid', premiumEndDate: daysLeft(7) }, true],
  [{ isPremium: false, status: 'cancel', reason: 'expired', premiumEndDate: daysLeft(-1) }, true],
] as const)('%j is ending: %s, and never for an admin', (user, expected) => {
  expect(isEnding({ role: 'user', ...user }, nowMs)).toBe(expected)
  expect(isEnding({ role: 'admin', ...user }, nowMs)).toBe(false)
})

test.each([
  [{ mustChangePassword: true, mustAddSecondFactor: true }, 'password'],
  [{ mustAddSecondFactor: true, consent: 'withdrawn' }, 'second-factor'],
  [{ consent: 'withdrawn' }, 'consent'],
  [{ consent: 'missing' }, undefined],
  [{ mustChangePassword: false, mustAddSecondFactor: false }, undefined],
] as const)('an account with %j is held back by: %s', (hold, restriction) => {
  for (const person of [{ role: 'admin', isPremium: false, ...hold } as const, { role: 'user', isPremium: true, ...hold } as const]) {
    expect(findAccessRestriction('premium', person)).toBe(restriction)
    expect(findAccessRestriction('admin', person)).toBe(person.role === 'admin' ? restriction : 'admin')
    expect(findAccessRestriction('signed-in', person)).toBeUndefined()
    expect(hasPremium(person)).toBe(restriction === undefined)
  }
})
