// What OpenAlgo's WebSocket says, and what is said to it.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import type { OpenAlgoSymbol } from './openalgo-symbols.ts'

const subscriptionSchema = z.object({
  exchange: z.string(),
  symbol: z.string(),
  status: z.string(),
  message: z.string().optional(),
})

const emptySchema = z.object({ ltp: z.literal(0).nullish() })

const marketDataSchema = z.object({
  type: z.literal('market_data'),
  exchange: z.string(),
  symbol: z.string(),
  data: z.object({
    ltp: z.number().positive(),
    volume: z.number().nonnegative().nullish(),
    timestamp: z.unknown().optional(),
  }),
})

/** Brokers send quotes without a price, as for what has not traded yet: they say nothing. Others may hide a trade. */
const unusableSchema = z
  .object({ type: z.literal('market_data'), exchange: z.string(), symbol: z.string(), data: z.unknown().optional() })
  .transform(({ exchange, symbol, data }) => ({
    type: 'unusable' as const,
    exchange,
    symbol,
    isEmpty: emptySchema.safeParse(data).success,
  }))

const messageSchema = z.union([
  marketDataSchema,
  unusableSchema,
  z.object({ type: z.literal('auth'), status: z.string(), code: z.string().optional() }),
  z.object({ type: z.literal('subscribe'), subscriptions: z.array(subscriptionSchema) }),
  z
    .object({ type: z.undefined().optional(), status: z.literal('error'), code: z.string() })
    .transform(({ code }) => ({ type: 'error' as const, code })),
  // Everything else, such as the answer to an unsubscription.
  z
    .object({ type: z.string().refine((type) => !['market_data', 'auth', 'subscribe'].includes(type)) })
    .transform(() => ({ type: 'other' as const })),
])

export type OpenAlgoMessage = z.output<typeof messageSchema>

/** A message of the socket, or null for text that is none. */
export function readOpenAlgoMessage(text: string): OpenAlgoMessage | null {
  return messageSchema.safeParse(parseJson(text)).data ?? null
}

/** Time of a quote, epoch milliseconds: brokers write milliseconds, seconds, or something that is no number. */
export function openAlgoTimeMs(timestamp: unknown): number | null {
  if (typeof timestamp !== 'number' || !(timestamp > 1_000_000_000)) return null
  return timestamp < 100_000_000_000 ? timestamp * 1000 : timestamp
}

export function openAlgoSignIn(apiKey: string): string {
  return JSON.stringify({ action: 'authenticate', api_key: apiKey })
}

/** Asks for quotes of symbols, or no more quotes of them. */
export function openAlgoCall(action: 'subscribe' | 'unsubscribe', symbols: readonly OpenAlgoSymbol[]): string {
  const list = symbols.map(({ exchange, symbol }) => ({ exchange, symbol, mode: 2 }))
  return JSON.stringify({ action, mode: 'Quote', symbols: list })
}
