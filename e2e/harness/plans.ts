// The plans on sale, which are the same for everybody: who changes them in a test holds them alone meanwhile.
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import type { PlanType } from '../../shared/plans/plan.ts'
import { qrDataUrl, upiText } from '../../server/testing/images.ts'
import { sql } from './sql.ts'

const lockKey = 3_141_592
const lockTimeoutMs = 900_000

export const walletText = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

/** To be called once at the top of a file whose tests change the plans; two such files take turns. */
export function keepPlansToOurselves(): void {
  let holder: pg.Client | undefined
  beforeAll(async () => {
    holder = new pg.Client({ connectionString: inject('world').databaseUrl })
    await holder.connect()
    await holder.query('select pg_advisory_lock($1)', [lockKey])
    await clearPlans()
  }, lockTimeoutMs)
  afterAll(async () => {
    await clearPlans()
    // The lock goes with the connection.
    await holder?.end()
  })
}

export async function clearPlans(): Promise<void> {
  await sql('delete from plans')
}

/** ₹999 for a month, or $49.50 for three. */
export async function putPlan(type: PlanType): Promise<void> {
  const [months, priceMinor, text] = type === 'regular' ? [1, 99_900, upiText] : [3, 4950, walletText]
  await sql('insert into plans (type, months, price_minor, qr_image, qr_text, updated_at) values ($1, $2, $3, $4, $5, now())', [
    type,
    months,
    priceMinor,
    await qrDataUrl(text),
    text,
  ])
}
