// Sign-in, sign-up and sign-out routes, named as in the specification.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import { proofSchema } from '#shared/http/proof.ts'
import { consentSchema } from '#shared/privacy/contract.ts'
import { userSchema } from '#shared/users/user.ts'

/** A missing field counts as empty, so that the specified message is returned; any other type is rejected. */
const field = z.string().default('')

const signedIn = messageReply.extend({ data: z.object({ sessionToken: z.string(), user: userSchema }) })

/** The password was correct, but the account has a second factor: no session yet. */
const codeNeeded = messageReply.extend({ success: z.literal(false), data: z.object({ challenge: z.string() }) })

export const authRoutes = {
  signIn: route({
    method: 'POST',
    path: '/auth/sign-in',
    access: 'anyone',
    summary: 'Sign in: sets the session cookie and gives the token that goes with it, or a challenge for a second factor.',
    body: z.object({ email: field, password: field, proof: proofSchema.optional() }),
    reply: z.discriminatedUnion('success', [signedIn, codeNeeded]),
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 413, 415, 429, 503],
  }),
  secondFactor: route({
    method: 'POST',
    path: '/auth/second-factor',
    access: 'anyone',
    summary:
      'Finish a sign-in with a code of the authenticator app, a recovery code or a passkey. A challenge lasts 5 minutes and 5 attempts.',
    body: z.object({ challenge: field, code: field, passkey: z.looseObject({ id: z.string() }).optional() }),
    reply: signedIn,
    errorStatuses: [400, 401, 403, 413, 415, 429, 503],
  }),
  signUp: route({
    method: 'POST',
    path: '/auth/sign-up',
    access: 'anyone',
    summary: 'Create an account without signing in.',
    body: z.object({
      name: field,
      email: field,
      phone: field,
      password: field,
      confirmPassword: field,
      /** Always sent by our form. Without it the account is created as specified, and the user is asked after the sign-in. */
      consent: consentSchema.optional(),
      proof: proofSchema.optional(),
    }),
    reply: messageReply,
    status: 201,
    hasSecrets: true,
    errorStatuses: [400, 403, 409, 413, 415, 429, 503],
  }),
  signOut: route({
    method: 'POST',
    path: '/auth/sign-out',
    access: 'signed-in',
    summary: 'End the session of the caller. The email of the spec is accepted and ignored.',
    body: z.object({ email: z.string().optional() }).optional(),
    reply: messageReply,
    endsSession: true,
    errorStatuses: [401, 403],
  }),
  signOutByGet: route({
    method: 'GET',
    path: '/auth/sign-out',
    access: 'signed-in',
    summary: 'The same by GET, for the admin sidebar; needs the Session-Token header, so a foreign page cannot send it.',
    reply: messageReply,
    endsSession: true,
    errorStatuses: [401, 403],
  }),
}
