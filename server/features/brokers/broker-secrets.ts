// The encrypted part of a broker connection, bound to its account.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import type { SecretBox } from '#server/secrets/secret-box.ts'
import type { BrokerCredentials } from './broker-port.ts'
import type { ConnectionRow } from './repository.ts'

const kiteSchema = z.object({
  broker: z.literal('kite'),
  /** Absent when the operator's app is used. */
  app: z.object({ apiKey: z.string(), apiSecret: z.string() }).optional(),
  /** Access token of the latest login, with the API key it was issued for. */
  session: z.object({ apiKey: z.string(), accessToken: z.string() }).optional(),
})

const openAlgoSchema = z.object({ broker: z.literal('openalgo'), url: z.string(), apiKey: z.string() })

const secretSchema = z.discriminatedUnion('broker', [kiteSchema, openAlgoSchema])

export type BrokerSecret = z.output<typeof secretSchema>
export type KiteSecret = z.output<typeof kiteSchema>

const contextOf = (userId: string): string => `broker:${userId}`

export function sealSecret(box: SecretBox, userId: string, secret: BrokerSecret): Buffer {
  return box.seal(JSON.stringify(secret), contextOf(userId))
}

/** Undefined if the key is unknown, the account differs or the data was changed. */
export function openSecret(box: SecretBox, row: Pick<ConnectionRow, 'user_id' | 'secret'>): BrokerSecret | undefined {
  try {
    return secretSchema.parse(parseJson(box.open(row.secret, contextOf(row.user_id))))
  } catch {
    return undefined
  }
}

/** Credentials for broker calls; undefined before the first login. */
export function credentialsOf(secret: BrokerSecret): BrokerCredentials | undefined {
  if (secret.broker === 'openalgo') return secret
  return secret.session === undefined ? undefined : { broker: 'kite', ...secret.session }
}
