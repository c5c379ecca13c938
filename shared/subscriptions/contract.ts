// Subscription routes for the user's request and an admin's decisions, named as in the specification.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { queryNumber } from '#shared/http/query-number.ts'
import { route } from '#shared/http/route.ts'
import { monthsMax, planTypes } from '#shared/plans/plan.ts'

const amount = z.union([z.number(), z.string()])

/** Number of a row of the history; names the version of a subscription. */
const changeId = z.string().regex(/^\d{1,18}$/)

export const historySchema = z.object({
  id: changeId,
  at: z.string(),
  command: z.enum(['submit', 'accept', 'decline', 'suspend', 'expire', 'months', 'undo']),
  /** The change that an undo took back. */
  undoes: changeId.nullable(),
  /** Until when an admin can undo this change; null for users, and for changes that cannot be undone. */
  undoUntil: z.string().nullable(),
  /** Who did it: an email, or a key of `actorText` (users see an admin as 'support'). */
  actor: z.string(),
  reason: z.string().nullable(),
  statusBefore: z.enum(['pending', 'paid', 'cancel']).nullable(),
  statusAfter: z.enum(['pending', 'paid', 'cancel']).nullable(),
  premiumEndBefore: z.string().nullable(),
  premiumEndAfter: z.string().nullable(),
  months: z.number().int(),
  /** The payment request that the change is about, with the amount that was due. */
  request: z.object({ price: z.number(), currency: z.enum(['INR', 'USD']), utrNo: z.string() }).nullable(),
})

export type SubscriptionChange = z.output<typeof historySchema>

export const requestSchema = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  type: z.enum(planTypes),
  months: z.number().int(),
  price: z.number(),
  currency: z.enum(['INR', 'USD']),
  utrNo: z.string(),
  rail: z.string(),
  createdAt: z.string(),
  /** Number of earlier requests of the same user. */
  earlierRequests: z.number().int(),
  /** A warning about the reference, for example an implausible date; null if none. */
  hint: z.enum(['utr-date']).nullable(),
})

export type SubscriptionRequest = z.output<typeof requestSchema>

/** What a decision would do now. Dates are null where there is nothing to grant or to move. */
export const termSchema = z.object({
  status: z.enum(['pending', 'paid', 'cancel']).nullable(),
  months: z.number().int(),
  /** The end of the paid days that are left. */
  premiumEnd: z.string().nullable(),
  /** After an acceptance that grants a term of these months. */
  newEnd: z.string().nullable(),
  /** After an acceptance that restores the unused rest of a suspended term. */
  restEnd: z.string().nullable(),
  /** After a change to these months. */
  monthsEnd: z.string().nullable(),
  reference: z.string().nullable(),
  /** True if a term was granted for the reference before. */
  isReferenceUsed: z.boolean(),
})

export type TermPreview = z.output<typeof termSchema>

const claimSchema = z.object({
  utrNo: z.string().default(''),
  Months: amount.optional(),
  price: amount.optional(),
  type: z.string().default(''),
})

export type PaymentClaim = z.output<typeof claimSchema>

const decisionSchema = z.object({
  id: z.string(),
  status: z.boolean(),
  premiumEndDate: z.string().nullish(),
  /** Status that the decision is based on; 409 if it has changed. */
  from: z.enum(['pending', 'paid', 'cancel']).nullish(),
  /** For an acceptance: the unused rest of a suspended term (409 if nothing is left), or a new term, which is the default. */
  term: z.enum(['rest', 'new']).nullish(),
})

export type Decision = z.output<typeof decisionSchema>

export const subscriptionRoutes = {
  submit: route({
    method: 'POST',
    path: '/user/payment',
    access: 'signed-in',
    summary: 'Claim a payment. Price and months are compared with the plan and never taken from here.',
    body: claimSchema,
    reply: messageReply,
    status: 201,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
  ownHistory: route({
    method: 'GET',
    path: '/user/subscription-history',
    access: 'signed-in',
    summary: 'The changes of the own subscription, newest first.',
    reply: z.object({ success: z.literal(true), data: z.array(historySchema) }),
    errorStatuses: [401],
  }),
  setStatus: route({
    method: 'POST',
    path: '/admin/userstatus',
    access: 'admin',
    summary: 'Accept (status true) or decline and suspend (status false). The end date is computed here; a sent one is ignored.',
    body: decisionSchema,
    reply: messageReply.extend({ statuscode: z.number(), change: changeId.optional() }),
    errorStatuses: [400, 401, 403, 404, 409],
  }),
  undo: route({
    method: 'POST',
    path: '/admin/users/:id/undo',
    access: 'admin',
    summary: 'Undo a decision within an hour: back to the exact state before, unless anything has changed since.',
    params: z.object({ id: z.uuid() }),
    body: z.object({ change: changeId }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409],
  }),
  term: route({
    method: 'GET',
    path: '/admin/users/:id/term',
    access: 'admin',
    summary: 'What an acceptance, or a change to `months`, would do to the term of a user.',
    params: z.object({ id: z.uuid() }),
    query: z.object({ months: queryNumber(1, monthsMax).optional() }),
    reply: z.object({ success: z.literal(true), data: termSchema }),
    errorStatuses: [400, 401, 403, 404],
  }),
  changeMonths: route({
    method: 'POST',
    path: '/admin/change-sub-months',
    access: 'admin',
    summary: 'Set the months of a user; the end of a running term moves by the difference.',
    body: z.object({ email: z.string().default(''), months: amount.nullish() }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404],
  }),
  requests: route({
    method: 'GET',
    path: '/admin/requests',
    access: 'admin',
    summary: 'Requests that wait for a decision, oldest first.',
    reply: z.object({ success: z.literal(true), data: z.array(requestSchema) }),
    errorStatuses: [401, 403],
  }),
  userHistory: route({
    method: 'GET',
    path: '/admin/users/:id/history',
    access: 'admin',
    summary: "The changes of one user's subscription, newest first.",
    params: z.object({ id: z.uuid() }),
    reply: z.object({ success: z.literal(true), data: z.array(historySchema) }),
    errorStatuses: [400, 401, 403],
  }),
}
