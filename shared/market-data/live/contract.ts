// WebSocket protocol of live candles and of the account's state: schemas for both directions.
import { z } from 'zod'
import { dataModes } from '#shared/candles/candle.ts'
import { adjustments } from '#shared/candles/corporate-actions.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import { accountStateSchema } from '#shared/users/user.ts'
import type { CandleColumns } from '../candle-columns.ts'
import { candleRowSchema } from '../candle-row.ts'
import { liveVersion } from './protocol.ts'

export { candleRowSchema, type CandleRow } from '../candle-row.ts'
export { closeCodes, livePath, liveVersion } from './protocol.ts'

/**
 * Interval of heartbeats, which are left out shortly after another message, except for every fifth; after twice as long
 * without any message the connection is considered dead.
 */
export const beatMs = 2_000

/** Maximum candles in a snapshot; older ones are loaded as history. */
export const snapshotMax = 1_500

/** Maximum subscriptions per connection: four charts and the menu prices. */
export const subscriptionsMax = 40

const cursorSchema = z.object({ epoch: z.string().max(64), seq: z.int().min(0) })

/** The last applied update; if the server still knows it, only later changes are sent. */
export type LiveCursor = z.output<typeof cursorSchema>

export const clientMessageSchema = z.discriminatedUnion('t', [
  /** First message, within a second: the session token, which a foreign page cannot know. */
  z.object({
    t: z.literal('hello'),
    v: z.literal(liveVersion),
    token: z.string().max(200),
    /** The client is an open page: it counts as present, and gets `account` frames. */
    isPage: z.literal(true).optional(),
  }),
  z.object({
    t: z.literal('sub'),
    /** Chosen by the client, unique per subscription. */
    id: z.int().min(1).max(1_000_000_000),
    slug: z.string().min(1).max(40),
    timeframe: z.enum(knownTimeframes),
    bars: z.int().min(1).max(snapshotMax),
    /** Default: adjusted for splits and bonuses. */
    adjustment: z.enum(adjustments).optional(),
    /** Form of the candles in a snapshot. Default: rows. */
    form: z.literal('columns').optional(),
    since: cursorSchema.optional(),
  }),
  z.object({ t: z.literal('unsub'), id: z.int() }),
  /** The quotes of a group's menu, instead of those of another group; null for none. */
  z.object({ t: z.literal('quotes'), group: z.string().max(20).nullable() }),
])

export type ClientMessage = z.output<typeof clientMessageSchema>

export const dataLabelSchema = z.object({
  mode: z.enum(dataModes),
  source: z.string(),
  delayMinutes: z.number(),
  proxy: z.string().nullable(),
})

export const conditionSchema = z.object({
  /** Null if there is no source; `reason` explains why. */
  label: dataLabelSchema.nullable(),
  /** Trading hours of the candles. */
  sessionClass: z.enum(sessionClasses),
  isStale: z.boolean(),
  reason: z.string().nullable(),
})

export type LiveCondition = z.output<typeof conditionSchema>

/** A slug, its last price (null without one), the change since the previous close in percent, and its condition; null if that has not changed. */
const quoteRowSchema = z.tuple([z.string(), z.number().nullable(), z.number().nullable(), conditionSchema.nullable()])

export type QuoteRow = z.output<typeof quoteRowSchema>

/** One check of the whole list: a schema for each of 9,000 numbers would take longer than to draw them. */
const wholeNumbers = z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isSafeInteger))
const volumes = z.array(z.number().nullable()).nullable()

const candleColumnsSchema: z.ZodType<CandleColumns> = z.object({
  d: z.int().min(0).max(8),
  u: z.int().min(1),
  t: wholeNumbers,
  o: wholeNumbers,
  h: wholeNumbers,
  l: wholeNumbers,
  c: wholeNumbers,
  v: volumes,
  b: volumes,
})

/** Shared by all subscribers of the same candles, for example `nifty:5`. */
const topic = z.string()

export const serverMessageSchema = z.discriminatedUnion('t', [
  /** The session is accepted; `account` for a page only. */
  z.object({ t: z.literal('ready'), nowMs: z.number(), beatMs: z.number(), account: accountStateSchema.optional() }),
  /** The subscription or its end has changed. */
  z.object({ t: z.literal('account'), account: accountStateSchema }),
  /** Everything a chart needs to start or restart. */
  z.object({
    t: z.literal('snap'),
    id: z.int(),
    k: topic,
    epoch: z.string(),
    seq: z.int(),
    candles: z.array(candleRowSchema),
    /** All candles, if asked for; `candles` is empty then. */
    columns: candleColumnsSchema.optional(),
    hasOlder: z.boolean(),
    /** Timestamp of the source's very first candle, if the candles start with it; else null. */
    startsAtMs: z.number().nullable().optional(),
    condition: conditionSchema,
  }),
  /** A subscription resumed from its cursor: an `upd` with the missed changes follows, if there are any. */
  z.object({ t: z.literal('cont'), id: z.int(), k: topic, condition: conditionSchema }),
  /** New or changed candles, complete: from sequence number `p` to `q`. A client that is not at `p` resubscribes. */
  z.object({ t: z.literal('upd'), k: topic, p: z.int(), q: z.int(), c: z.array(candleRowSchema) }),
  z.object({ t: z.literal('cond'), k: topic, condition: conditionSchema }),
  /** Quotes that have changed, at most two frames a second; all of the group if `isAll`, without those that the user may not see. */
  z.object({ t: z.literal('quotes'), group: z.string(), isAll: z.boolean(), quotes: z.array(quoteRowSchema) }),
  /** A subscription that ended or was rejected. */
  z.object({ t: z.literal('end'), id: z.int(), code: z.string(), message: z.string() }),
  z.object({ t: z.literal('beat'), nowMs: z.number() }),
])

export type ServerMessage = z.output<typeof serverMessageSchema>
