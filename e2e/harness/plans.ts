// Plans on sale, written directly into the database of a server under test.
import type { PlanType } from '../../shared/plans/plan.ts'
import { qrDataUrl, upiText } from '../../server/testing/images.ts'
import { sql } from './sql.ts'

export const walletText = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

export async function clearPlans(databaseUrl: string): Promise<void> {
  await sql('delete from plans', [], databaseUrl)
}

/** ₹999 for a month, or $49.50 for three. `databaseUrl` overrides the default one. */
export async function putPlan(type: PlanType, databaseUrl?: string): Promise<void> {
  const [months, priceMinor, text] = type === 'regular' ? [1, 99_900, upiText] : [3, 4950, walletText]
  await sql(
    'insert into plans (type, months, price_minor, qr_image, qr_text, updated_at) values ($1, $2, $3, $4, $5, now())',
    [type, months, priceMinor, await qrDataUrl(text), text],
    databaseUrl,
  )
}
