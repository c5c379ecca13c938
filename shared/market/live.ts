// What goes over the socket of live candles, in both directions, as values that both sides check.
import { z } from 'zod'
import { dataModes } from './candles/candle.ts'
import { adjustments } from './corporate-actions.ts'
import { knownTimeframes } from './timeframe.ts'
import { sessionClasses } from './sessions/session-class.ts'

/** Below the API's base path. */
export const livePath = '/market/live'

export const liveVersion = 1

/** The server says that it is alive at least this often; twice as long without a word means it is gone. */
export const beatMs = 2_000

/** Candles that a subscription can begin with; older ones are read as history. */
export const snapshotMax = 1_500

/** Subscriptions of one connection at most: four charts, and what a menu of prices needs. */
export const subscriptionsMax = 40

const cursorSchema = z.object({ epoch: z.string().max(64), seq: z.int().min(0) })

/** The last update that was applied; where the server still knows it, only what changed since is sent. */
export type LiveCursor = z.output<typeof cursorSchema>

export const clientMessageSchema = z.discriminatedUnion('t', [
  /** First of all, within a second: the half of the session that a foreign page cannot know. */
  z.object({ t: z.literal('hello'), v: z.literal(liveVersion), token: z.string().max(200) }),
  z.object({
    t: z.literal('sub'),
    /** Chosen by the client, one for each subscription. */
    id: z.int().min(1).max(1_000_000_000),
    slug: z.string().min(1).max(40),
    timeframe: z.enum(knownTimeframes),
    bars: z.int().min(1).max(snapshotMax),
    /** For splits and bonuses where it is left out. */
    adjustment: z.enum(adjustments).optional(),
    since: cursorSchema.optional(),
  }),
  z.object({ t: z.literal('unsub'), id: z.int() }),
])

export type ClientMessage = z.output<typeof clientMessageSchema>

const price = z.number()

/** Stamp, open, high, low, close, volume, volume that buyers took. */
export const candleRowSchema = z.tuple([z.int(), price, price, price, price, z.number().nullable(), z.number().nullable()])

export type CandleRow = z.output<typeof candleRowSchema>

export const dataLabelSchema = z.object({
  mode: z.enum(dataModes),
  source: z.string(),
  delayMinutes: z.number(),
  proxy: z.string().nullable(),
})

export const conditionSchema = z.object({
  /** Null where nobody has prices; `reason` says why. */
  label: dataLabelSchema.nullable(),
  /** The hours that the candles follow. */
  sessionClass: z.enum(sessionClasses),
  isStale: z.boolean(),
  reason: z.string().nullable(),
})

export type LiveCondition = z.output<typeof conditionSchema>

/** Names what all watchers of the same candles share, such as `nifty:5`. */
const topic = z.string()

export const serverMessageSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ready'), nowMs: z.number(), beatMs: z.number() }),
  /** All that the chart needs to begin, or to begin again. */
  z.object({
    t: z.literal('snap'),
    id: z.int(),
    k: topic,
    epoch: z.string(),
    seq: z.int(),
    candles: z.array(candleRowSchema),
    hasOlder: z.boolean(),
    /** Stamp of the very first candle of the source, where the candles begin with it; else null. */
    startsAtMs: z.number().nullable().optional(),
    condition: conditionSchema,
  }),
  /** A subscription that goes on after its cursor: an `upd` with what it missed follows, where there is any. */
  z.object({ t: z.literal('cont'), id: z.int(), k: topic, condition: conditionSchema }),
  /** Candles that are new or have changed, whole: goes on from `p` to `q`. Whoever is not at `p` asks again. */
  z.object({ t: z.literal('upd'), k: topic, p: z.int(), q: z.int(), c: z.array(candleRowSchema) }),
  z.object({ t: z.literal('cond'), k: topic, condition: conditionSchema }),
  /** A subscription that is over or was refused. */
  z.object({ t: z.literal('end'), id: z.int(), code: z.string(), message: z.string() }),
  z.object({ t: z.literal('beat'), nowMs: z.number() }),
])

export type ServerMessage = z.output<typeof serverMessageSchema>

/** Codes of the close frame that mean something to a client. */
export const closeCodes = {
  /** The server could not find out who this is: come back. */
  busy: 1013,
  /** Not signed in, or not any more: do not come back by yourself. */
  session: 4401,
  /** No hello in time, as on a very slow line: come back. */
  noHello: 4408,
  /** Gave way to a newer connection of the same user: do not come back by yourself, or the two push each other out. */
  replaced: 4409,
  /** Not ours: a message that is none, or too many of them. */
  abuse: 4429,
} as const
