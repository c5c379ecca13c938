// Two-factor sign-in routes: state, adding, removing, and the reset by an admin.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

const field = z.string().max(200).default('')

const stateSchema = z.object({
  /** True if the account must have a second factor. */
  isRequired: z.boolean(),
  /** When the authenticator app was set up. */
  totpSince: z.string().nullable(),
  recoveryCodesLeft: z.number().int(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.string(), lastUsedAt: z.string().nullable() })),
  /** False if the site has no public address, to which passkeys are bound. */
  hasPasskeys: z.boolean(),
})

export type FactorState = z.output<typeof stateSchema>

const codes = z.array(z.string())

export const factorRoutes = {
  state: route({
    method: 'GET',
    path: '/user/second-factor',
    access: 'signed-in',
    summary: 'The second factors of the own account.',
    reply: z.object({ success: z.literal(true), data: stateSchema }),
    errorStatuses: [401],
  }),
  startTotp: route({
    method: 'POST',
    path: '/user/second-factor/totp',
    access: 'signed-in',
    summary: 'Begin to set up an authenticator app. Asks for the own password when the sign-in is older than 15 minutes.',
    /** `uri` is the content of the QR code, `secret` the same key for manual entry (base32). */
    reply: z.object({ success: z.literal(true), data: z.object({ secret: z.string(), uri: z.string() }) }),
    hasSecrets: true,
    errorStatuses: [401, 403],
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/user/second-factor/totp/confirm',
    access: 'signed-in',
    summary: 'Turn the authenticator app on with its first code; the other sessions end. Gives recovery codes, once.',
    body: z.object({ code: field }),
    reply: messageReply.extend({ data: z.object({ recoveryCodes: codes }) }),
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 429, 503],
  }),
  removeTotp: route({
    method: 'POST',
    path: '/user/second-factor/totp/remove',
    access: 'signed-in',
    summary: 'Remove the authenticator app, with the own password.',
    body: z.object({ password: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/auth/second-factor/passkey',
    access: 'anyone',
    summary: 'What the browser needs to answer a sign-in with a passkey; null for an account without one.',
    body: z.object({ challenge: field }),
    reply: z.object({ success: z.literal(true), data: z.object({ options: z.unknown() }) }),
    errorStatuses: [400, 401, 403],
  }),
  startPasskey: route({
    method: 'POST',
    path: '/user/second-factor/passkeys/options',
    access: 'signed-in',
    summary: 'Begin to add a passkey. Asks for the own password when the sign-in is older than 15 minutes.',
    reply: z.object({ success: z.literal(true), data: z.object({ options: z.unknown() }) }),
    hasSecrets: true,
    errorStatuses: [401, 403, 409, 503],
  }),
  addPasskey: route({
    method: 'POST',
    path: '/user/second-factor/passkeys',
    access: 'signed-in',
    summary: 'Add the passkey that the browser made. Gives recovery codes where there are none, once.',
    body: z.object({ name: z.string().trim().min(1).max(60), response: z.looseObject({ id: z.string() }) }),
    reply: messageReply.extend({ data: z.object({ recoveryCodes: codes }) }),
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 503],
  }),
  removePasskey: route({
    method: 'POST',
    path: '/user/second-factor/passkeys/remove',
    access: 'signed-in',
    summary: 'Remove a passkey, with the own password.',
    body: z.object({ id: z.string().max(2000).default(''), password: z.string().default('') }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/user/second-factor/recovery-codes',
    access: 'signed-in',
    summary: 'Ten new recovery codes, shown once; the old ones end. Asks for the own password when the sign-in is older than 15 minutes.',
    reply: z.object({ success: z.literal(true), data: z.object({ recoveryCodes: codes }) }),
    hasSecrets: true,
    errorStatuses: [401, 403, 404],
  }),
  reset: route({
    method: 'POST',
    path: '/admin/reset-two-factor',
    access: 'admin',
    summary:
      'Remove all second factors of an account; its sessions end. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({ email: field }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
}
