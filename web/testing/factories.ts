// Test data for the fake server.
import type { FactorState } from '#shared/factors/contract.ts'
import type { Plan, PlanType } from '#shared/plans/plan.ts'
import type { SubscriptionChange, SubscriptionRequest, TermPreview } from '#shared/subscriptions/contract.ts'
import type { UserSession } from '#shared/auth/session-contract.ts'
import { idOf } from '#shared/testing/user.ts'

export const upiText = 'upi://pay?pa=shop@okaxis&pn=Tezi%20Charts&cu=INR'
export const walletText = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
/** An image of one pixel. */
const tinyImage = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** ₹999 for a month, or $49.50 for three. */
export function makePlan(type: PlanType, change: Partial<Plan> = {}): Plan {
  const isRegular = type === 'regular'
  return {
    _id: idOf(isRegular ? 101 : 102),
    month: isRegular ? 1 : 3,
    price: isRegular ? 999 : 49.5,
    qrcodeUrl: tinyImage,
    type,
    payee: isRegular ? upiText : walletText,
    network: null,
    address: null,
    version: 1,
    updatedAt: '2026-11-20T06:30:00.000Z',
    ...change,
  }
}

export function makeRequest(change: Partial<SubscriptionRequest> = {}): SubscriptionRequest {
  return {
    id: idOf(201),
    userId: idOf(2),
    name: 'Ravi Iyer',
    email: 'ravi@example.in',
    phone: '9876500000',
    type: 'regular',
    months: 1,
    price: 999,
    currency: 'INR',
    utrNo: '412345678903',
    rail: 'upi',
    createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    earlierRequests: 0,
    hint: null,
    ...change,
  }
}

export function makeChange(change: Partial<SubscriptionChange> = {}): SubscriptionChange {
  return {
    id: '1',
    undoes: null,
    undoUntil: null,
    at: '2026-11-20T06:30:00.000Z',
    command: 'submit',
    actor: 'free@example.in',
    reason: null,
    statusBefore: null,
    statusAfter: 'pending',
    premiumEndBefore: null,
    premiumEndAfter: null,
    months: 1,
    request: { price: 999, currency: 'INR', utrNo: '4123 4567 8903' },
    ...change,
  }
}

/** A user who has paid until 22 February 2027. */
export function makeTerm(change: Partial<TermPreview> = {}): TermPreview {
  return {
    status: 'paid',
    months: 3,
    premiumEnd: '2027-02-22T06:30:00.000Z',
    newEnd: null,
    restEnd: null,
    monthsEnd: null,
    reference: '412345678903',
    isReferenceUsed: true,
    ...change,
  }
}

export function makeSession(change: Partial<UserSession> = {}): UserSession {
  return {
    id: idOf(301),
    createdAt: '2026-11-19T06:30:00.000Z',
    lastSeenAt: '2026-11-20T06:30:00.000Z',
    address: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    isCurrent: true,
    ...change,
  }
}

/** Without a second factor. */
export function makeFactors(change: Partial<FactorState> = {}): FactorState {
  return { isRequired: false, totpSince: null, recoveryCodesLeft: 0, passkeys: [], hasPasskeys: false, ...change }
}
