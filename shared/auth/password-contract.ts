// Password routes: confirm, change, reset by link or by an admin.
import { z } from 'zod'
import { proofSchema } from '#shared/http/proof.ts'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

const reset = {
  method: 'POST',
  access: 'admin',
  summary: 'Set the password of an account; all its sessions end. Asks for the own password when the sign-in is older than 15 minutes.',
  body: z.object({ email: z.string().default(''), newPassword: z.string().default('') }),
  reply: messageReply,
  hasSecrets: true,
  errorStatuses: [400, 401, 403, 404, 429],
} as const

export const passwordRoutes = {
  confirm: route({
    method: 'POST',
    path: '/auth/confirm',
    access: 'signed-in',
    summary: 'Give the own password again, as acts on money and passwords ask for.',
    body: z.object({ password: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 429],
  }),
  changePassword: route({
    method: 'POST',
    path: '/user/password',
    access: 'signed-in',
    summary: 'Change the own password; the other sessions end.',
    body: z.object({
      currentPassword: z.string().default(''),
      newPassword: z.string().default(''),
      confirmPassword: z.string().default(''),
    }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 429],
  }),
  askForLink: route({
    method: 'POST',
    path: '/auth/password-link',
    access: 'anyone',
    summary: 'Mail a single-use link for a forgotten password. The answer is the same for any email.',
    body: z.object({ email: z.string().default(''), proof: proofSchema.optional() }),
    reply: messageReply,
    errorStatuses: [400, 429, 503],
  }),
  useLink: route({
    method: 'POST',
    path: '/auth/password-link/use',
    access: 'anyone',
    summary: 'Set a new password with the link of a mail; works once, for 30 minutes, and ends all sessions.',
    body: z.object({ token: z.string().default(''), newPassword: z.string().default(''), confirmPassword: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 403, 429],
  }),
  resetPassword: route({ ...reset, path: '/auth/forgot-password' }),
  /** The specification names both paths. */
  resetPasswordByAdmin: route({ ...reset, path: '/admin/reset-password' }),
}
