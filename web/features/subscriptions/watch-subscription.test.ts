// Notifications for all changes of a subscription.
import type { User } from '#shared/users/user.ts'
import { expect, test } from 'vitest'
import { makeUser } from '#shared/testing/user.ts'
import { isAccessChange, statusNotification } from './watch-subscription.ts'

const free = makeUser('free')
const pending: User = { ...free, status: 'pending' }
const paid: User = { ...free, status: 'paid', isPremium: true, premiumEndDate: '2026-12-21T06:30:00.000Z' }
const renewing: User = { ...paid, status: 'pending' }
const suspended: User = { ...paid, status: 'cancel', isPremium: false }

test.each([
  ['nothing', free, free, undefined],
  ['a request', free, pending, undefined],
  ['acceptance', pending, paid, 'Your subscription is active. All charts are open.'],
  ['a loss of premium without a reason', paid, suspended, 'Your premium access has ended'],
  ['suspension', paid, { ...suspended, reason: 'suspended' as const }, 'Your subscription is suspended'],
  ['the end of the term', paid, { ...suspended, reason: 'expired' as const }, 'Your premium has expired'],
  [
    'a declined first request',
    pending,
    { ...pending, status: 'cancel' as const },
    'Your subscription request was declined. Please ask support if this is a mistake.',
  ],
  ['a renewal asked for', paid, renewing, undefined],
  [
    'a renewal accepted',
    renewing,
    { ...paid, premiumEndDate: '2027-01-21T06:30:00.000Z' },
    'Your subscription now runs until 21 Jan 2027.',
  ],
  ['a renewal declined', renewing, paid, 'Your subscription request was declined. Please ask support if this is a mistake.'],
  ['another person', pending, { ...paid, _id: 'b' }, undefined],
] as const)('%s', (_, before, after, text) => {
  expect(statusNotification(before, after)?.text).toBe(text)
})

test('access changes with premium only, and only for the same user', () => {
  expect(isAccessChange(pending, paid)).toBe(true)
  expect(isAccessChange(paid, suspended)).toBe(true)
  expect(isAccessChange(paid, renewing)).toBe(false)
  expect(isAccessChange(free, { ...paid, _id: 'b' })).toBe(false)
})
