// Parses and formats the messages of Twelve Data's price socket.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { numberSchema } from './provider-number.ts'

const number = numberSchema.pipe(z.number().positive())
const symbolsSchema = z.array(z.object({ symbol: z.string(), message: z.string().optional() })).nullish()

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('price'), symbol: z.string(), price: number, timestamp: number }),
  z.object({ event: z.literal('subscribe-status'), success: symbolsSchema, fails: symbolsSchema }),
])

/** A symbol without a price: an empty bank quote. */
const unusableSchema = z
  .object({ event: z.literal('price'), symbol: z.string() })
  .transform(({ symbol }) => ({ event: 'unusable' as const, symbol }))

/** Everything else, such as the response to a heartbeat. */
const otherSchema = z.object({ event: z.string().refine((event) => event !== 'price' && event !== 'subscribe-status') })

const errorSchema = z.object({ event: z.undefined().optional(), status: z.literal('error'), code: z.number() })

const anySchema = z.union([
  messageSchema,
  unusableSchema,
  errorSchema.transform(({ code }) => ({ event: 'error' as const, code })),
  otherSchema.transform(() => ({ event: 'other' as const })),
])

export type TwelveDataMessage = z.output<typeof anySchema>

/** A parsed message, or null if the text is not valid. */
export function readTwelveDataMessage(text: string): TwelveDataMessage | null {
  return anySchema.safeParse(parseJson(text)).data ?? null
}

/** Message that subscribes to or unsubscribes from prices of symbols. */
export function twelveDataCall(action: 'subscribe' | 'unsubscribe', symbols: readonly string[]): string {
  return JSON.stringify({ action, params: { symbols: symbols.join(',') } })
}

/** Must be sent every ten seconds, or the provider disconnects. */
export const twelveDataHeartbeat = JSON.stringify({ action: 'heartbeat' })
