// What users' brokers sent and what cannot be true: remembered for each user in this process, counted for all together.
import type { Db } from '#server/db/database.ts'
import { dayMs } from '#shared/base/durations.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import type { FeedClock } from '../feed.ts'
import { nameOfKey } from '../store/candle-store.ts'
import { databaseRejectedMessages, type RejectedMessages } from '../store/rejected-messages.ts'
import { memoryRejectedRows, type RejectedRows } from '../store/rejected-rows.ts'

/** Users that are remembered, those last used. */
const usersMax = 100
/** Longer than the three days that settle a hole, with a weekend between them. */
const rememberMs = 7 * dayMs

export interface UserRejections {
  /** Kept for longer than a connection: a hole is settled after three days. */
  readonly rows: RejectedRows
  /** Without the user. */
  readonly messages: RejectedMessages
}

export type BrokerRejections = ReturnType<typeof brokerRejections>

export function brokerRejections(deps: { readonly db: Db; readonly clock: FeedClock; readonly onError: (error: unknown) => void }) {
  const { clock } = deps
  const messages = databaseRejectedMessages({ ...deps, isOwn: true })
  const users = new Map<string, { readonly rows: RejectedRows; readonly usedMs: number }>()
  return {
    of(userId: string): UserRejections {
      const usedMs = clock.monotonic()
      const rows =
        users.get(userId)?.rows ??
        countedRows(
          memoryRejectedRows(() => clock.now()),
          messages,
        )
      users.delete(userId)
      users.set(userId, { rows, usedMs })
      for (const [other, known] of users) if (users.size > usersMax || usedMs - known.usedMs > rememberMs) users.delete(other)
      return { rows, messages }
    },
    /** Writes the counts. */
    close: () => messages.close(),
  }
}

/** Counts each row once, however often the broker repeats it. */
function countedRows(rows: RejectedRows, messages: RejectedMessages): RejectedRows {
  return {
    list: (key) => rows.list(key),
    async note(key, span, rejected) {
      const known = await rows.list(key)
      const added = rejected.filter(({ span }) => !known.some(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs >= span.toMs))
      const issue = added.at(-1)?.issue
      if (issue !== undefined) messages.add({ series: key.series, source: key.source, issue, count: added.length })
      return await rows.note(key, span, rejected)
    },
  }
}

/** The rows of one connection: those of an earlier one are hidden until this one requests their span, because nothing around them is loaded. */
export interface ConnectionRows extends RejectedRows {
  /** The candles of a series are no longer loaded. */
  forget(series: string): void
}

export function connectionRows(rows: RejectedRows): ConnectionRows {
  const requestedBySeries = new Map<string, Map<string, readonly TimeSpan[]>>()
  return {
    async list(key) {
      const requested = requestedBySeries.get(key.series)?.get(nameOfKey(key)) ?? []
      return (await rows.list(key)).filter((span) => requested.some(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs >= span.toMs))
    },
    note(key, span, rejected) {
      const requested = requestedBySeries.get(key.series) ?? new Map<string, readonly TimeSpan[]>()
      requestedBySeries.set(key.series, requested.set(nameOfKey(key), addSpan(requested.get(nameOfKey(key)) ?? [], span)))
      return rows.note(key, span, rejected)
    },
    forget: (series) => void requestedBySeries.delete(series),
  }
}
