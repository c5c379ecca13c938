// Routes for the email address of an account: confirmation state and change.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

export const emailRoutes = {
  state: route({
    method: 'GET',
    path: '/user/email',
    access: 'signed-in',
    summary: 'Whether the own email address is confirmed, and whether this server can send mail.',
    reply: z.object({
      success: z.literal(true),
      data: z.object({
        isConfirmed: z.boolean(),
        hasMail: z.boolean(),
        /** When the account is erased unless it is confirmed; null if it stays. */
        endsAt: z.iso.datetime().nullable(),
      }),
    }),
    errorStatuses: [401],
  }),
  sendAgain: route({
    method: 'POST',
    path: '/user/email/link',
    access: 'signed-in',
    summary: 'Mail a link that confirms the own address; earlier links stop working.',
    reply: messageReply,
    errorStatuses: [401, 403, 429, 503],
  }),
  change: route({
    method: 'POST',
    path: '/user/email',
    access: 'signed-in',
    summary: 'Mail a link to a new address; the address changes when the link is used. Both addresses are notified.',
    body: z.object({ email: z.string().default(''), password: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 429, 503],
  }),
  confirm: route({
    method: 'POST',
    path: '/auth/email-link',
    access: 'anyone',
    summary: 'Confirm an address with the link of a mail; works once, for 24 hours.',
    body: z.object({ token: z.string().default('') }),
    reply: messageReply,
    errorStatuses: [400, 403, 409, 429],
  }),
  free: route({
    method: 'POST',
    path: '/admin/free-address',
    access: 'admin',
    summary:
      'Erase an unconfirmed account without payments, so that the owner of its address can sign up. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({ email: z.string().default('') }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
}
