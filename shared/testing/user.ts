// Test data: users as the API sends them, for server and web tests.
import type { User } from '#shared/users/user.ts'

export type Kind = 'free' | 'pending' | 'premium' | 'admin'

/** A deterministic user id from a number. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

const subscriptions: Readonly<Record<Kind, Partial<User>>> = {
  free: {},
  pending: { status: 'pending', subscriptionMonths: 1, paymentType: 'upi', utrNo: '412345678901' },
  premium: {
    status: 'paid',
    isPremium: true,
    premiumStartDate: '2026-11-01T06:30:00.000Z',
    premiumEndDate: '2026-12-15T06:30:00.000Z',
    subscriptionMonths: 1,
    paymentType: 'upi',
    utrNo: '412345678902',
  },
  admin: { role: 'admin', isPremium: true },
}

export function makeUser(kind: Kind, change: Partial<User> = {}): User {
  return {
    _id: idOf(1),
    name: 'Asha Rao',
    email: `${kind}@example.in`,
    phone: '9876543210',
    role: 'user',
    isPremium: false,
    status: null,
    premiumStartDate: null,
    premiumEndDate: null,
    subscriptionMonths: 0,
    paymentType: null,
    utrNo: null,
    ...subscriptions[kind],
    ...change,
  }
}
