// What Twelve Data's price socket says, and what is said to it.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'

const symbolsSchema = z.array(z.object({ symbol: z.string(), message: z.string().optional() })).nullish()

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('price'), symbol: z.string(), price: z.number().positive(), timestamp: z.number().positive() }),
  z.object({ event: z.literal('subscribe-status'), success: symbolsSchema, fails: symbolsSchema }),
])

/** Of a symbol, but no price: a quote of a bank that says nothing. */
const unusableSchema = z
  .object({ event: z.literal('price'), symbol: z.string() })
  .transform(({ symbol }) => ({ event: 'unusable' as const, symbol }))

/** Everything else, such as the answer to a heartbeat. */
const otherSchema = z.object({ event: z.string().refine((event) => event !== 'price' && event !== 'subscribe-status') })

const errorSchema = z.object({ event: z.undefined().optional(), status: z.literal('error'), code: z.number() })

const anySchema = z.union([
  messageSchema,
  unusableSchema,
  errorSchema.transform(({ code }) => ({ event: 'error' as const, code })),
  otherSchema.transform(() => ({ event: 'other' as const })),
])

export type TwelveDataMessage = z.output<typeof anySchema>

/** A message of the socket, or null for text that is none. */
export function readTwelveDataMessage(text: string): TwelveDataMessage | null {
  return anySchema.safeParse(parseJson(text)).data ?? null
}

/** Asks for prices of symbols, or no more prices of them. */
export function twelveDataCall(action: 'subscribe' | 'unsubscribe', symbols: readonly string[]): string {
  return JSON.stringify({ action, params: { symbols: symbols.join(',') } })
}

/** Has to be said every ten seconds, or the connection is cut. */
export const twelveDataHeartbeat = JSON.stringify({ action: 'heartbeat' })
