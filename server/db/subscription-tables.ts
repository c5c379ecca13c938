// Tables of payment requests and of the subscription history.
import type { ColumnType, Generated } from 'kysely'
import type { PlanType } from '#shared/plans/plan.ts'
import type { SubscriptionStatus } from '#shared/subscriptions/subscription-status.ts'

type Timestamp = ColumnType<Date, Date, Date>
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

interface PaymentRequestsTable {
  id: Generated<string>
  user_id: string
  type: PlanType
  months: number
  price_minor: ColumnType<string, number, number>
  rail: string
  reference_raw: string
  reference: string
  status: Generated<'pending' | 'accepted' | 'declined'>
  created_at: Timestamp
  decided_at: NullableTimestamp
  decided_by: ColumnType<string | null, string | null | undefined, string | null>
}

export type HistoryCommand = 'submit' | 'accept' | 'decline' | 'suspend' | 'expire' | 'months' | 'undo'

/** What an undo restores beside status and end; dates as ISO text. */
export interface StateBefore {
  readonly premiumStart: string | null
  readonly anchorDay: number | null
  readonly months: number
  /** The request that the decision has decided. */
  readonly request: {
    readonly id: string
    readonly status: 'pending' | 'accepted' | 'declined'
    readonly decidedAt: string | null
    readonly decidedBy: string | null
  } | null
}

interface SubscriptionHistoryTable {
  id: Generated<string>
  user_id: string
  request_id: string | null
  actor_id: string | null
  command: HistoryCommand
  reason: string | null
  at: Timestamp
  status_before: SubscriptionStatus | null
  status_after: SubscriptionStatus | null
  premium_end_before: Date | null
  premium_end_after: Date | null
  months_after: number
  /** Of decisions that can be undone. */
  state_before: ColumnType<StateBefore | null, string | null | undefined, never>
  /** Id of the row that an undo has undone. */
  undoes: ColumnType<string | null, string | null | undefined, never>
}

export interface SubscriptionTables {
  payment_requests: PaymentRequestsTable
  subscription_history: SubscriptionHistoryTable
}
