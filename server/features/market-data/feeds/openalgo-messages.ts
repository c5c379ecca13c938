// Parses and formats the messages of OpenAlgo's WebSocket.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { numberSchema, optionalNumberSchema, providerNumber } from './provider-number.ts'
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
    ltp: numberSchema.pipe(z.number().positive()),
    volume: optionalNumberSchema.pipe(z.number().nonnegative().nullable()),
    timestamp: z.unknown().optional(),
  }),
})

/** Brokers send quotes without a price for untraded symbols, which are ignored. Other invalid quotes may hide a trade. */
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
  // Everything else, such as the response to an unsubscription.
  z
    .object({ type: z.string().refine((type) => !['market_data', 'auth', 'subscribe'].includes(type)) })
    .transform(() => ({ type: 'other' as const })),
])

export type OpenAlgoMessage = z.output<typeof messageSchema>

/** A parsed message, or null if the text is not valid. */
export function readOpenAlgoMessage(text: string): OpenAlgoMessage | null {
  return messageSchema.safeParse(parseJson(text)).data ?? null
}

/** Time of a quote, epoch milliseconds: brokers send milliseconds or seconds, or something else. */
export function openAlgoTimeMs(timestamp: unknown): number | null {
  const stated = providerNumber(timestamp)
  if (!(stated > 1_000_000_000)) return null
  return stated < 100_000_000_000 ? stated * 1000 : stated
}

export function openAlgoSignIn(apiKey: string): string {
  return JSON.stringify({ action: 'authenticate', api_key: apiKey })
}

/** Message that subscribes to or unsubscribes from quotes of symbols. */
export function openAlgoCall(action: 'subscribe' | 'unsubscribe', symbols: readonly OpenAlgoSymbol[]): string {
  const list = symbols.map(({ exchange, symbol }) => ({ exchange, symbol, mode: 2 }))
  return JSON.stringify({ action, mode: 'Quote', symbols: list })
}
