// Privacy routes: read, give and withdraw consent, export all data, erase the account.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

/** Body of a consent form; sending it is the consent. */
export const consentSchema = z.object({
  /** Version of the notice that was displayed. */
  noticeVersion: z.string().max(20),
  isAdult: z.boolean(),
})

const stateSchema = z.object({
  consent: z.enum(['given', 'missing', 'withdrawn']),
  /** The latest record: which notice, and when. */
  noticeVersion: z.string().nullable(),
  at: z.string().nullable(),
  /** When an account without consent is erased; null if it is not. */
  erasedOn: z.string().nullable(),
})

export type PrivacyState = z.output<typeof stateSchema>

export const privacyRoutes = {
  state: route({
    method: 'GET',
    path: '/user/privacy',
    access: 'signed-in',
    summary: 'State of your consent.',
    reply: z.object({ success: z.literal(true), data: stateSchema }),
    errorStatuses: [401],
  }),
  exportData: route({
    method: 'GET',
    path: '/user/privacy/export',
    access: 'signed-in',
    summary:
      'Everything that is stored about the caller, as one JSON file, streamed. Asks for the own password when the sign-in is older than 15 minutes.',
    reply: z.string(),
    replyType: 'application/json; charset=utf-8',
    errorStatuses: [401, 403, 429],
  }),
  giveConsent: route({
    method: 'POST',
    path: '/user/privacy/consent',
    access: 'signed-in',
    summary: 'Agree to the present notice.',
    body: consentSchema,
    reply: messageReply,
    errorStatuses: [400, 401, 403],
  }),
  withdrawConsent: route({
    method: 'POST',
    path: '/user/privacy/withdraw',
    access: 'signed-in',
    summary:
      'Take the consent back. Premium ends to be usable at once; the account is erased after 30 days. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({ isSure: z.literal(true) }),
    reply: messageReply,
    errorStatuses: [400, 401, 403],
  }),
  eraseAccount: route({
    method: 'POST',
    path: '/user/privacy/erase',
    access: 'signed-in',
    summary: 'Erase the own account; asks for the password. What the law wants kept stays under a bare id.',
    body: z.object({ password: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 429],
  }),
}
