// The SQL of plans.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Network } from '#shared/plans/network.ts'
import type { PlanType } from '#shared/plans/plan.ts'

export interface PlanValues {
  readonly months: number
  readonly price_minor: number
  readonly qr_image: string
  readonly qr_text: string | null
  readonly network: Network | null
  readonly address: string | null
}

/** Queries on one database or transaction. */
export function plansRepository(db: Db) {
  return {
    /** The regular plan first. */
    all: () => db.selectFrom('plans').selectAll().orderBy('type', 'desc').execute(),

    /** Without images. */
    offers: () => db.selectFrom('plans').select(['type', 'months', 'price_minor']).execute(),

    find: (id: string) => db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Locks the plan until the transaction ends: of two edits the second sees the first. */
    lock: (id: string) => db.selectFrom('plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

    /** The new plan, or undefined if the type has one: decided by the unique index, even in a race. */
    insert: (type: PlanType, values: PlanValues, at: Date) =>
      db
        .insertInto('plans')
        .values({ type, ...values, updated_at: at })
        .onConflict((conflict) => conflict.column('type').doNothing())
        .returningAll()
        .executeTakeFirst(),

    update: (id: string, values: PlanValues, at: Date) =>
      db
        .updateTable('plans')
        .set({ ...values, version: sql<number>`version + 1`, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    remove: (id: string) => db.deleteFrom('plans').where('id', '=', id).returningAll().executeTakeFirst(),
  }
}
