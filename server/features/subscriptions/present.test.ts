// Presentation of changes and requests to users and admins, and hints about suspicious reference numbers.
import { expect, test } from 'vitest'
import { presentChange, presentRequest } from './rules.ts'

type ChangeRow = Parameters<typeof presentChange>[0]

const change: ChangeRow = {
  id: '1',
  user_id: 'u1',
  request_id: null,
  actor_id: 'a1',
  actor_email: 'admin@example.in',
  at: new Date('2026-11-20T06:30:00Z'),
  command: 'accept',
  reason: null,
  status_before: 'pending',
  status_after: 'paid',
  premium_end_before: null,
  premium_end_after: new Date('2026-12-20T06:30:00Z'),
  state_before: null,
  undoes: null,
  months_after: 1,
  type: null,
  price_minor: null,
  reference_raw: null,
}

test.each([
  [{}, 'admin@example.in', 'support'],
  [{ actor_email: null }, 'admin', 'support'],
  [{ actor_id: 'u1', actor_email: 'ravi@example.in' }, 'ravi@example.in', 'ravi@example.in'],
  [{ actor_id: 'u1', actor_email: null }, 'user', 'user'],
  [{ actor_id: null, actor_email: null }, 'former-admin', 'former-admin'],
  [{ actor_id: null, actor_email: null, command: 'expire' }, 'automatic', 'automatic'],
] as const)('the actor of %j is shown to an admin as %s and to the user as %s', (values, forAdmin, forUser) => {
  const row: ChangeRow = { ...change, ...values }
  expect([presentChange(row, 'admin').actor, presentChange(row, 'user').actor]).toEqual([forAdmin, forUser])
})

test('a change is shown with its dates in ISO form', () => {
  expect(presentChange(change, 'user')).toEqual({
    id: '1',
    undoes: null,
    undoUntil: null,
    at: '2026-11-20T06:30:00.000Z',
    command: 'accept',
    actor: 'support',
    reason: null,
    statusBefore: 'pending',
    statusAfter: 'paid',
    premiumEndBefore: null,
    premiumEndAfter: '2026-12-20T06:30:00.000Z',
    months: 1,
    request: null,
  })
  expect(presentChange({ ...change, premium_end_before: change.at, premium_end_after: null }, 'user')).toMatchObject({
    premiumEndBefore: '2026-11-20T06:30:00.000Z',
    premiumEndAfter: null,
  })
})

type RequestRow = Parameters<typeof presentRequest>[0]

const request: RequestRow = {
  id: 'r1',
  user_id: 'u1',
  name: 'Ravi',
  email: 'ravi@example.in',
  phone: '9876543210',
  type: 'regular',
  months: 3,
  price_minor: '299950',
  reference_raw: '6324 1234 5678',
  reference: '632412345678',
  rail: 'upi',
  created_at: new Date('2026-11-20T06:30:00Z'),
  earlier_requests: '2',
}

test('a request is shown with its price in whole units and its currency', () => {
  expect(presentRequest(request)).toEqual({
    id: 'r1',
    userId: 'u1',
    name: 'Ravi',
    email: 'ravi@example.in',
    phone: '9876543210',
    type: 'regular',
    months: 3,
    price: 2999.5,
    currency: 'INR',
    utrNo: '6324 1234 5678',
    rail: 'upi',
    createdAt: '2026-11-20T06:30:00.000Z',
    earlierRequests: 2,
    hint: null,
  })
  expect(presentRequest({ ...request, type: 'crypto', rail: 'tron' }).currency).toBe('USD')
})

const hint = 'utr-date'

test.each([
  // 20 November is day 324 of 2026; three days before to one day after count as recent.
  ['2026-11-20T12:00:00+05:30', '6320', hint],
  ['2026-11-20T12:00:00+05:30', '6321', null],
  ['2026-11-20T12:00:00+05:30', '6322', null],
  ['2026-11-20T12:00:00+05:30', '6323', null],
  ['2026-11-20T12:00:00+05:30', '6325', null],
  ['2026-11-20T12:00:00+05:30', '6326', hint],
  ['2026-11-20T12:00:00+05:30', '5324', hint],
  // The date is that of India, even if it is still the previous day in UTC.
  ['2026-11-20T00:10:00+05:30', '6325', null],
  ['2026-11-20T00:10:00+05:30', '6320', hint],
  ['2026-11-20T23:50:00+05:30', '6321', null],
  ['2026-11-20T23:50:00+05:30', '6326', hint],
  // Around the turn of the year and of the decade.
  ['2027-01-01T00:10:00+05:30', '7001', null],
  ['2027-01-01T00:10:00+05:30', '6363', null],
  ['2027-01-01T00:10:00+05:30', '6362', hint],
  ['2027-01-01T00:10:00+05:30', '6366', hint],
  ['2029-12-31T12:00:00+05:30', '0001', null],
  ['2028-12-31T12:00:00+05:30', '8366', null],
])('a UPI reference claimed at %s that starts with %s: %s', (at, start, expected) => {
  expect(presentRequest({ ...request, created_at: new Date(at), reference: `${start}12345678` }).hint).toBe(expected)
})

test('only UPI references contain a date', () => {
  expect(presentRequest({ ...request, rail: 'neft', reference: 'HDFCN52026112012' }).hint).toBeNull()
})
