// Subscription routes for the user's request and an admin's decisions, named as in the specification.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import { planTypes } from '#shared/plans/plan.ts'

const amount = z.union([z.number(), z.string()])

export const historySchema = z.object({
  at: z.string(),
  command: z.enum(['submit', 'accept', 'decline', 'suspend', 'expire', 'months']),
  /** Who did it: the user, an admin's email (shown to admins; users see 'Support'), or the system clock. */
  actor: z.string(),
  reason: z.string().nullable(),
  statusBefore: z.string().nullable(),
  statusAfter: z.string().nullable(),
  premiumEndBefore: z.string().nullable(),
  premiumEndAfter: z.string().nullable(),
  months: z.number().int(),
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
  hint: z.string().nullable(),
})

export type SubscriptionRequest = z.output<typeof requestSchema>

export const subscriptionRoutes = {
  submit: route({
    method: 'POST',
    path: '/user/payment',
    access: 'signed-in',
    summary: 'Claim a payment. Price and months are compared with the plan and never taken from here.',
    body: z.object({ utrNo: z.string().default(''), Months: amount.optional(), price: amount.optional(), type: z.string().default('') }),
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
    body: z.object({
      id: z.string(),
      status: z.boolean(),
      premiumEndDate: z.string().nullish(),
      /** Status that the decision is based on; 409 if it has changed. */
      from: z.enum(['pending', 'paid', 'cancel']).nullish(),
    }),
    reply: messageReply.extend({ statuscode: z.number() }),
    errorStatuses: [400, 401, 403, 404, 409],
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
