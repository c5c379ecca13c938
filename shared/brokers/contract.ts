// Routes for a user's broker connection: connect, renew, view and disconnect. No response contains a secret.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

export const brokerNames = ['kite', 'openalgo'] as const

export type BrokerName = (typeof brokerNames)[number]

/** `login` waits for the sign-in at the broker, `expired` for the daily one; `error` no longer works. */
const brokerStates = ['login', 'connected', 'expired', 'error'] as const

const connectionSchema = z.object({
  broker: z.enum(brokerNames),
  state: z.enum(brokerStates),
  /** Address of OpenAlgo; null for Kite. */
  address: z.string().nullable(),
  connectedAt: z.string(),
  /** When the broker's session ends; null where it does not, or there is none. */
  expiresAt: z.string().nullable(),
  /** English message; null if there is none. */
  message: z.string().nullable(),
  /** Code of the message. */
  code: z.string().optional(),
})

export type BrokerConnection = z.output<typeof connectionSchema>

const stateSchema = z.object({
  /** False if the server has no encryption key. */
  isOffered: z.boolean(),
  /** True if the operator provides the Kite Connect app, so that users enter no keys. */
  hasKiteApp: z.boolean(),
  /** Redirect URL to register in a user's Kite Connect app. */
  redirectUrl: z.string(),
  connection: connectionSchema.nullable(),
})

export type BrokerState = z.output<typeof stateSchema>

const field = z.string().max(500).default('')
const login = z.object({ success: z.literal(true), data: z.object({ loginUrl: z.string() }) })
export const brokerRoutes = {
  state: route({
    method: 'GET',
    path: '/user/broker',
    access: 'signed-in',
    summary: 'The own broker connection: how it is, never its keys.',
    isBackground: true,
    reply: z.object({ success: z.literal(true), data: stateSchema }),
    errorStatuses: [401],
  }),
  connectKite: route({
    method: 'POST',
    path: '/user/broker/kite',
    access: 'premium',
    summary: 'Store the keys of the own Kite Connect app, encrypted, and begin the login at Zerodha.',
    body: z.object({ apiKey: field, apiSecret: field }),
    reply: login,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 429, 503],
  }),
  renewKite: route({
    method: 'POST',
    path: '/user/broker/kite/login',
    access: 'premium',
    summary: 'Begin the login of a new day at Zerodha with the stored keys.',
    reply: login,
    hasSecrets: true,
    errorStatuses: [401, 403, 404, 409, 429, 503],
  }),
  finishKite: route({
    method: 'POST',
    path: '/user/broker/kite/session',
    access: 'premium',
    summary: 'Finish a login at Zerodha, once, in the session that began it.',
    body: z.object({ requestToken: field, state: field }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 429, 503],
  }),
  connectOpenAlgo: route({
    method: 'POST',
    path: '/user/broker/openalgo',
    access: 'premium',
    summary: 'Connect an OpenAlgo instance with its address and key, which are tried at once.',
    body: z.object({ url: field, apiKey: field }),
    reply: messageReply,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409, 429, 503],
  }),
  disconnect: route({
    method: 'DELETE',
    path: '/user/broker',
    access: 'signed-in',
    summary: 'Delete the own broker connection with all its keys; its prices end at once.',
    reply: messageReply,
    errorStatuses: [401, 404],
  }),
}

/** Path to which Zerodha redirects after the login. */
export const brokerReturnPath = '/account/broker'
