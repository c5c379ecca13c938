// Twelve Data: prices of currencies and metals by WebSocket, candles by HTTP, within the credits of the plan.
import { z } from 'zod'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { commonStepOf, commonSteps, FeedError, stepMs, type CommonStep, type Feed, type FeedClock } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import type { RequestLimit } from './feed-rate-limiter.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadHistory } from './load-history.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberSchema, optionalNumberSchema, rowsOf } from './provider-number.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

export const twelveDataHosts = { restUrl: 'https://api.twelvedata.com', socketUrl: 'wss://ws.twelvedata.com' }

const twelveDataKeyReason = 'Twelve Data does not take the key; check it, and what its plan includes'

export interface TwelveDataOptions extends FeedOptions {
  readonly apiKey: string
  /** Calls included in the plan; without `perDay` there is no daily limit. The free plan by default. */
  readonly credits?: { readonly perMinute: number; readonly perDay?: number }
}

const freePlan = { perMinute: 8, perDay: 800 }
/** Maximum time that a chart waits for credits. */
const creditWaitMaxMs = 120_000
const heartbeatMs = 10_000
const socketLimits = {
  // The provider accepts 100 per minute.
  messagesPerSecond: 1,
  symbolsMax: 1000,
  // Our heartbeats are answered every ten seconds.
  silenceMs: 30_000,
}
/** Maximum rows of one call. A call over this number of steps can never return more, whatever the market did. */
const rowsMax = 5000
const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1min', '1h': '1h', '1D': '1day' }

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

/** A parsed message, or null if the text is not valid. */
export function readTwelveDataMessage(text: string): z.output<typeof anySchema> | null {
  return anySchema.safeParse(parseJson(text)).data ?? null
}

/** Message that subscribes to or unsubscribes from prices of symbols. */
export function twelveDataCall(action: 'subscribe' | 'unsubscribe', symbols: readonly string[]): string {
  return JSON.stringify({ action, params: { symbols: symbols.join(',') } })
}

/** Must be sent every ten seconds, or the provider disconnects. */
const twelveDataHeartbeat = JSON.stringify({ action: 'heartbeat' })

const unreadable = { datetime: '', open: NaN, high: NaN, low: NaN, close: NaN, volume: null }

const rowSchema = z
  .object({
    datetime: z.string().catch(''),
    open: numberSchema,
    high: numberSchema,
    low: numberSchema,
    close: numberSchema,
    volume: optionalNumberSchema,
  })
  .catch(unreadable)

/** Even with the HTTP status 200. */
const errorResponse = z.object({ status: z.literal('error'), code: z.number(), message: z.string() })

export const twelveDataSeriesSchema = z.union([errorResponse, z.object({ values: rowsOf(rowSchema) })])

/** Format 2026-11-20T09:15:00, in UTC. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

/** Path of the call for a span; both ends of a call are included. */
export function twelveDataPath(symbol: string, step: CommonStep, { fromMs, toMs }: TimeSpan): string {
  const query = new URLSearchParams({
    symbol,
    interval: intervalOf[step],
    start_date: timeText(fromMs),
    end_date: timeText(toMs - 1),
    timezone: 'UTC',
    order: 'ASC',
    outputsize: String(rowsMax),
  })
  return `/time_series?${query.toString()}`
}

/** Candles of the rows; an unreadable timestamp becomes NaN. Currencies and metals have no volume. */
export function readTwelveDataRows(values: readonly z.output<typeof rowSchema>[]): Candle[] {
  return values.map(({ datetime, ...prices }) => {
    const timeMs = Date.parse(`${datetime.replace(' ', 'T')}${datetime.length > 10 ? 'Z' : ''}`)
    return { timeMs, ...prices, takerBuyVolume: null }
  })
}

/** An error that came with status 200. */
function findError(body: unknown): FeedError | undefined {
  const error = errorResponse.safeParse(body).data
  if (error === undefined || isNothingFound(error)) return undefined
  if (error.code === 429) return new FeedError('limited', 'Twelve Data has no credits left for now', { retryAfterMs: minuteMs })
  if (error.code >= 500) return new FeedError('unreachable', `Twelve Data is out of order (${error.code})`)
  return new FeedError('refused', `Twelve Data refused the request (${error.code}): ${reasonOf(error) ?? 'without a reason'}`)
}

/** An empty range is reported as a bad request. */
function isNothingFound({ code, message }: z.output<typeof errorResponse>): boolean {
  return code === 400 && /^No data is available/i.test(message)
}

/** In our own words: the provider's messages are advertisements, and may repeat what was sent. */
function reasonOf(body: unknown): string | undefined {
  const code = errorResponse.safeParse(body).data?.code
  if (code === 401) return twelveDataKeyReason
  if (code === 403) return 'the plan does not include this'
  return code === 404 ? 'it has no such symbol, or not with this plan' : undefined
}

function recover(body: unknown): z.output<typeof errorResponse> | undefined {
  const error = errorResponse.safeParse(body).data
  return error !== undefined && isNothingFound(error) ? error : undefined
}

/** The free plan has no socket; the provider's price list says which plans have one. */
const twelveDataPlanReason =
  'the plan has no live prices of it; choose a plan of Twelve Data with WebSocket, or remove TWELVE_DATA_KEY to use the next source'

function rejectionOf(status: number): string | undefined {
  if (status === 401) return twelveDataKeyReason
  return status === 403 ? twelveDataPlanReason : undefined
}

/** One connection: sends heartbeats while open, and every symbol is confirmed or rejected. */
function session(link: SocketLink, clock: FeedClock): SocketSession {
  let stopHeartbeat: (() => void) | undefined

  function sendHeartbeat(): void {
    link.send(twelveDataHeartbeat)
    stopHeartbeat = clock.after(heartbeatMs, sendHeartbeat)
  }

  return {
    opened() {
      stopHeartbeat = clock.after(heartbeatMs, sendHeartbeat)
      link.ready()
    },
    subscribe: (symbols) => link.send(twelveDataCall('subscribe', symbols)),
    unsubscribe: (symbols) => link.send(twelveDataCall('unsubscribe', symbols)),
    receive(frame) {
      const message = readTwelveDataMessage(frame.toString())
      if (message === null) throw new Error('A message that is none')
      if (message.event === 'price') {
        // A bank or broker quote, not a trade.
        link.trade(message.symbol, { timeMs: message.timestamp * 1000, price: message.price, size: null, isTakerBuy: null })
      } else if (message.event === 'unusable') {
        link.log('Twelve Data: a quote that cannot be used', { symbol: message.symbol })
      } else if (message.event === 'subscribe-status') {
        link.accepted((message.success ?? []).map(({ symbol }) => symbol))
        for (const { symbol } of message.fails ?? []) link.refused(symbol, `Twelve Data does not give ${symbol}: ${twelveDataPlanReason}`)
      } else if (message.event === 'error') {
        const rejection = rejectionOf(message.code)
        if (rejection !== undefined) link.rejectAll(rejection)
        else link.fail(`answered with the error ${message.code}`)
      }
    },
    ended: () => stopHeartbeat?.(),
  }
}

/** The history call of an account. @throws FeedError */
function twelveDataHistory({
  restUrl = twelveDataHosts.restUrl,
  apiKey,
  credits = freePlan,
  clock,
  log,
}: TwelveDataOptions): Feed['history'] {
  const time = new ProviderClock(clock)
  const limits: RequestLimit[] = [{ count: credits.perMinute, windowMs: minuteMs }]
  if (credits.perDay !== undefined) limits.push({ count: credits.perDay, windowMs: dayMs })
  const http = new JsonHttpClient({
    name: 'Twelve Data',
    clock,
    log,
    headers: { authorization: `apikey ${apiKey}` },
    reasonOf,
    time,
    limits,
    limitWaitMaxMs: creditWaitMaxMs,
  })
  return (request) => {
    const { symbol, signal } = request
    const step = commonStepOf(request.step)
    // Its day is a calendar date and not a trading session, so it closes with the date.
    return loadHistory(request, time, {
      sessionClass: null,
      spanMs: (rowsMax - 1) * stepMs[step],
      async load(span) {
        const url = new URL(twelveDataPath(symbol, step, span), restUrl)
        const response = await http.get({ url, schema: twelveDataSeriesSchema, findError, recover, signal })
        return 'values' in response ? readTwelveDataRows(response.values) : []
      },
    })
  }
}

/** The Twelve Data feed. Symbols look like EUR/USD and XAU/USD. */
export function twelveDataFeed(options: TwelveDataOptions): Feed {
  const { socketUrl = twelveDataHosts.socketUrl, apiKey, clock, log } = options
  const url = new URL('/v1/quotes/price', socketUrl)
  url.search = new URLSearchParams({ apikey: apiKey }).toString()
  const socket = new ResilientWebSocket({
    name: 'Twelve Data',
    url: url.href,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, clock),
    rejection: rejectionOf,
  })
  return {
    source: 'twelve-data',
    steps: commonSteps,
    live: 'trades',
    history: twelveDataHistory(options),
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}
