// The figures of the business above All Users, on a server whose database holds nothing but what is counted here.
import { expect, type Page } from '@playwright/test'
import { press, rowOf, see } from './harness/see.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, test } from './harness/test.ts'

const owner = { email: 'owner@tezi.example', password: 'e2e-Kesar-Chai-42' }

let server: OwnServer

test.beforeAll(async () => {
  server = await startOwnServer({ ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password })
  await addUsers()
  await addPayments()
})
test.afterAll(() => server.stop())

test('counts users, premium, pending and expiring, adds up both currencies by month, and follows an act', async ({ open }) => {
  const { page } = await open('/admin', { as: { ...owner, server } })
  await expectEventually(() => figureOf(page, 'Users')).toBe('8')
  expect(await figureOf(page, 'Premium')).toBe('4')
  expect(await figureOf(page, 'Pending')).toBe('2')
  expect(await figureOf(page, 'Expiring in 7 days')).toBe('1')

  const overview = page.getByRole('region', { name: 'Overview' })
  const rupees = overview.getByRole('listitem').filter({ hasText: 'Revenue by month, ₹' })
  await rupees.getByText('₹1,00,999', { exact: true }).waitFor()
  await rupees.getByText('this month', { exact: true }).waitFor()
  const dollars = overview.getByRole('listitem').filter({ hasText: 'Revenue by month, $' })
  await dollars.getByText('$49.50', { exact: true }).waitFor()

  const months = lastMonths(12)
  // What is pending, declined or older than a year is not in it.
  expect(await rupees.getByRole('img').getAttribute('aria-label')).toBe(
    months.map((month, index) => `${month} ${['₹0', '₹500', '₹1,00,999'][Math.max(0, index - 9)]}`).join(', '),
  )
  expect(await dollars.getByRole('img').getAttribute('aria-label')).toBe(
    months.map((month, index) => `${month} ${index === 11 ? '$49.50' : '$0'}`).join(', '),
  )

  await page.getByRole('searchbox', { name: 'Search' }).fill('premium-1@')
  await rowOf(page, 'premium-1@example.in').getByRole('button', { name: 'Suspend premium-1' }).click()
  await see(page, 'Subscription suspended')
  await expectEventually(() => figureOf(page, 'Premium')).toBe('3')
  await page.getByRole('searchbox', { name: 'Search' }).fill('waiting@')
  await press(page, 'Decline waiting')
  await see(page, 'Request declined')
  await expectEventually(() => figureOf(page, 'Pending')).toBe('1')
  expect(await figureOf(page, 'Users')).toBe('8')
})

/** The number under a name. */
async function figureOf(page: Page, name: string): Promise<string | null> {
  const item = page
    .getByRole('region', { name: 'Overview' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
  return item.locator('span').nth(1).textContent()
}

/** Seven beside the owner: premium, about to expire, renewing, waiting, expired, suspended. */
async function addUsers(): Promise<void> {
  await sql(
    `insert into users (name, email, phone, password_hash, created_at, role, status, premium_start, premium_end, subscription_months)
     select name, name || '@example.in', '9876543210', 'none', now(), 'user', status, now() - interval '40 days', now() + ends, 2
       from (values ('premium-1', 'paid', interval '30 days'), ('premium-2', 'paid', interval '8 days'),
                    ('expiring', 'paid', interval '6 days'), ('renewing', 'pending', interval '5 days'),
                    ('waiting', 'pending', null), ('expired', 'paid', interval '-1 minute'), ('suspended', 'cancel', interval '-1 day'))
         as people (name, status, ends)`,
    [],
    server.databaseUrl,
  )
}

/** This month and last month in India, the last moment of a year ago, and what was never accepted. */
async function addPayments(): Promise<void> {
  await sql(
    `with this_month as (select date_trunc('month', now() at time zone 'Asia/Kolkata') as start)
     insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, status, created_at, decided_at)
     select (select id from users where name = payer), type, 1, minor, 'upi', reference, reference, payments.status, now(),
            (this_month.start + since) at time zone 'Asia/Kolkata'
       from this_month,
            (values ('premium-1', 'regular', 99900, 'a', 'accepted', interval '0'), ('premium-2', 'regular', 10000000, 'b', 'accepted', interval '1 second'),
                    ('premium-1', 'crypto', 4950, 'c', 'accepted', interval '1 second'), ('expiring', 'regular', 50000, 'd', 'accepted', interval '-1 second'),
                    ('expired', 'regular', 77700, 'e', 'accepted', interval '-11 months -1 second'),
                    ('suspended', 'regular', 88800, 'f', 'declined', interval '1 second'))
              as payments (payer, type, minor, reference, status, since)`,
    [],
    server.databaseUrl,
  )
  await sql(
    `insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, created_at)
     select id, 'regular', 1, 66600, 'upi', name, name, now() from users where status = 'pending'`,
    [],
    server.databaseUrl,
  )
}

/** Such as 2026-11, in India, oldest first. */
function lastMonths(count: number): string[] {
  const now = Temporal.Now.zonedDateTimeISO('Asia/Kolkata').toPlainDate().toPlainYearMonth()
  return Array.from({ length: count }, (_, index) => now.subtract({ months: count - 1 - index }).toString())
}
