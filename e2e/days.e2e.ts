// Whole days of a visitor, a buyer and an admin, mistakes included: nothing is lost, and nothing happens without a word.
import { randomInt, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { collectRefusals } from './harness/day.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { addCrowd, addPerson, addRequest, agree, callAs, password } from './harness/people.ts'
import { arriveAt, lookAgain, press, rowOf, see, seeNoMore } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, test, type Open } from './harness/test.ts'

// One trace a day, with all its tabs, beside the results of the run: `npx playwright show-trace FILE`.
test.use({ trace: 'on' })
test.describe.configure({ timeout: 240_000 })

const pendingText = 'Your subscription request is being processed. Please wait for approval.'

test("a visitor's day", { tag: '@slow' }, async ({ open, pageErrors }) => {
  const email = `visitor-${randomUUID().slice(0, 8)}@example.in`
  const { page } = await open('/')
  const refusals = collectRefusals(page.context())

  await test.step('reads the landing page, goes to the form and back, and follows wrong addresses', async () => {
    await page.getByRole('button', { name: 'CRYPTO' }).click()
    await page.getByRole('img', { name: /^Illustrative candlestick chart of BTC\/USDT/ }).waitFor()
    await page.getByRole('link', { name: 'Start Analysis' }).first().click()
    await arriveAt(page, '/login')
    await page.goBack()
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.goto('/%')
    await see(page, '400 Bad request')
    await page.getByRole('link', { name: 'Go to Homepage' }).click()
    await page.goto('/no-such-chart')
    await see(page, /^404/)
    await page.goto('/EUR-USD')
    await arriveAt(page, '/eur-usd')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
  })

  await test.step('signs up with mistakes and a double click, and has one account', async () => {
    await page.goto('/login?mode=sign-up')
    await page.getByLabel('Full name').fill('Meera Nair')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone').fill('98765')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill('Kesar-Chai-4')
    await agree(page)
    await press(page, 'Create Account')
    await see(page, 'Phone number must be 10 digits')
    await page.getByLabel('Phone').fill('98765 43210')
    await press(page, 'Create Account')
    await see(page, 'Passwords do not match')
    await page.getByLabel('Confirm password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create Account' }).dblclick()
    await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    expect(await count('users where email = $1', email)).toBe(1)
  })

  await test.step('in a second tab asks for the same account again, and is told so at the field', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/login?mode=sign-up')
    await tab.getByLabel('Full name').fill('Meera Nair')
    await tab.getByLabel('Email').fill(email)
    await tab.getByLabel('Phone').fill('9876543210')
    await tab.getByLabel('Password', { exact: true }).fill(password)
    await tab.getByLabel('Confirm password', { exact: true }).fill(password)
    await agree(tab)
    await press(tab, 'Create Account')
    await see(tab, 'An account with this email already exists')
    expect(await tab.getByLabel('Full name').inputValue()).toBe('Meera Nair')
    await tab.close()
  })

  await test.step('mistypes the password, signs in, and finds what is locked', async () => {
    await page.getByLabel('Password', { exact: true }).fill('Kesar-Chai-43')
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Invalid email or password')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in to Dashboard' }).dblclick()
    await see(page, 'Free User')
    await page.getByTestId('chart-legend').waitFor()
    await page.goto('/gbp-usd')
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
    await page.goBack()
    await page.getByTestId('chart-legend').waitFor()
    await page.goto('/admin')
    await see(page, /^403/)
    await page.getByRole('link', { name: 'Go to Homepage' }).click()
    await page.getByTestId('chart-legend').waitFor()
  })

  await test.step('signs out in one of two tabs, and both say so', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/account')
    await see(tab, 'This session')
    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await tab.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
    // The page before was that of 403.
    await page.goBack()
    await see(page, /^403/)
    expect(await page.getByText(email).count()).toBe(0)
  })

  // On a slow machine a page asks about its session before it hears of the sign-out.
  const others = new Set(refusals).difference(new Set(['401 POST /user/presence']))
  const expected = ['400 GET /%', '404 GET /no-such-chart', '403 GET /admin', '409 POST /auth/sign-up', '401 POST /auth/sign-in']
  expect(others).toEqual(new Set(expected))
  // The router logs what it shows the page of 400 for.
  expect(pageErrors.filter((error) => /blocked|policy|uncaught/.test(error))).toEqual([])
  pageErrors.length = 0
})

test("a buyer's day", { tag: '@slow' }, async ({ open }) => {
  const buyer = await addPerson('free')
  const admin = await addPerson('admin')
  const [first, second, third] = [newUtr(), newUtr(), newUtr()] as const
  const { page } = await open('/', { as: buyer, engine: 'tezi' })
  const refusals = collectRefusals(page.context())
  const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })

  await test.step('fills the form half, closes it, and comes back', async () => {
    await press(page, 'Premium Chart')
    await dialog.getByRole('radio', { name: /Regular/ }).check()
    await dialog.getByLabel('UTR No.').fill(first.slice(0, 5))
    await press(page, 'Submit Request')
    await see(page, /^This is not a UTR/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  const tab = await page.context().newPage()
  await test.step('has the form open in a second tab too', async () => {
    await tab.goto('/account')
    await press(tab, 'See Premium')
    await tab.getByRole('radio', { name: /Regular/ }).check()
    await tab.getByLabel('UTR No.').fill(second)
  })

  await test.step('submits with a double click after the session has ended, signs in again, and has claimed once', async () => {
    await press(page, 'Premium Chart')
    await dialog.getByRole('radio', { name: /Regular/ }).check()
    await dialog.getByLabel('UTR No.').fill(first)
    await endSessions(buyer.email)
    await dialog.getByRole('button', { name: 'Submit Request' }).dblclick()
    await signInAgain(page)
    await see(page, 'Your subscription request has been submitted')
    expect(await count('payment_requests join users on users.id = user_id where email = $1', buyer.email)).toBe(1)
  })

  await test.step('is told in the second tab, over the live connection, that a request is waiting', async () => {
    await see(tab, 'Request Pending')
    await see(tab, pendingText)
    await tab.close()
  })

  await test.step('is declined, reads why, cannot use the reference again, and asks with another', async () => {
    await decide(admin, buyer.email, false)
    await lookAgain(page)
    await see(page, 'declined')
    await press(page, 'Premium Chart')
    await dialog.getByRole('heading', { name: 'Your request was declined' }).waitFor()
    expect(await dialog.getByRole('radio', { name: /Regular/ }).isChecked()).toBe(true)
    await dialog.getByLabel('UTR No.').fill(first)
    await press(page, 'Submit Request')
    await dialog.getByText('This reference has already been used for another request').waitFor()
    await dialog.getByLabel('UTR No.').fill(third)
    await press(page, 'Submit Request')
    await dialog.waitFor({ state: 'hidden' })
    await decide(admin, buyer.email, true)
    await lookAgain(page)
    await see(page, 'Premium User')
  })

  await test.step('uses the charts, and finds the settings again after a reload and the back button', async () => {
    await page.goto('/eur-usd?tf=15')
    await page.getByTestId('chart-legend').waitFor()
    await press(page, 'Settings')
    await page.getByRole('switch', { name: 'Chart 3' }).click()
    await expectEventually(() =>
      count("chart_settings join users on users.id = user_id where email = $1 and flags->>'zigZag' = 'true'", buyer.email),
    ).toBe(1)
    await page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name: 'GBP/USD' }).click()
    await arriveAt(page, '/gbp-usd')
    await page.goBack()
    await arriveAt(page, '/eur-usd')
    expect(new URL(page.url()).search).toBe('?tf=15')
    await page.reload()
    await press(page, 'Settings')
    expect(await page.getByRole('switch', { name: 'Chart 3' }).getAttribute('aria-checked')).toBe('true')
  })

  await test.step('is reminded a week before the end, and renews in one click once it is over', async () => {
    await sql(`update users set premium_end = now() + interval '5 days' where email = $1`, [buyer.email])
    await page.reload()
    await see(page, /^Your premium ends on /)
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click()
    await seeNoMore(page, /^Your premium ends on /)
    await sql(`update users set premium_end = now() - interval '1 hour' where email = $1`, [buyer.email])
    await page.reload()
    await page.getByRole('banner').getByText('Expired', { exact: false }).first().waitFor()
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
    await press(page, 'Renew')
    await dialog.getByRole('heading', { name: 'Your premium has expired' }).waitFor()
    expect(await dialog.getByRole('radio', { name: /Regular/ }).isChecked()).toBe(true)
    await dialog.getByLabel('UTR No.').fill(second)
    await dialog.getByRole('button', { name: 'Submit Request' }).dblclick()
    await dialog.waitFor({ state: 'hidden' })
    await decide(admin, buyer.email, true)
    await lookAgain(page)
    await see(page, 'Premium User')
    await page.getByTestId('chart-legend').waitFor()
    await press(page, 'Settings')
    expect(await page.getByRole('switch', { name: 'Chart 3' }).getAttribute('aria-checked')).toBe('true')
  })

  expect(withoutEndedSession(refusals)).toEqual(['409 POST /user/payment'])
})

test.describe('of 30 users', () => {
  let server: OwnServer
  test.beforeAll(async () => {
    server = await startOwnServer()
  })
  test.afterAll(() => server.stop())

  test("an admin's day", { tag: '@slow' }, ({ open }) => spendAdminsDay(open, server))
})

async function spendAdminsDay(open: Open, server: OwnServer): Promise<void> {
  const admin = await addPerson('admin', server)
  const [paid, other] = [await addPerson('premium', server), await addPerson('premium', server)]
  const [first, second, third] = [await addRequest(server), await addRequest(server), await addRequest(server)]
  // With the server's own admin these are 30 users.
  await addCrowd(23, server)
  const { page } = await open('/admin', { as: admin })
  const refusals = collectRefusals(page.context())
  const stateOf = async (email: string) =>
    (
      await sql<{ status: string; premium_end: Date | null }>(
        'select status, premium_end from users where email = $1',
        [email],
        server.databaseUrl,
      )
    )[0]
  const find = async (tab: Page, email: string) => {
    await tab.getByRole('searchbox', { name: 'Search' }).fill(email)
    await see(tab, '1–1 of 1 user')
    return rowOf(tab, email)
  }

  await test.step('pages through 30 users, and the back button leads to the page before', async () => {
    await see(page, '1–13 of 30 users')
    await press(page, 'Next')
    await see(page, '14–26 of 30 users')
    await press(page, 'Next')
    await see(page, '27–30 of 30 users')
    await page.goBack()
    await see(page, '14–26 of 30 users')
  })

  await test.step('suspends the wrong user, after a confirmation, and takes it back from the message', async () => {
    const before = await stateOf(paid.email)
    const row = await find(page, paid.email)
    await row.getByRole('button', { name: 'Suspend Asha Rao' }).click()
    const dialog = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog', { name: 'Suspend Asha Rao?' }))
      .first()
    await dialog.getByText(/^Asha Rao loses premium now, instead of on /).waitFor()
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).dblclick()
    await see(page, 'Subscription suspended')
    await row.getByText('suspended').waitFor()
    await press(page, 'Undo')
    await see(page, 'Undone. Everything is as it was before.')
    await row.getByText('paid', { exact: true }).waitFor()
    expect(await stateOf(paid.email)).toEqual(before)
  })

  await test.step('accepts the wrong request with a double click, and takes it back from the history', async () => {
    const before = await stateOf(first.email)
    await page.goto('/admin/user-req')
    await rowOf(page, first.email).getByRole('button', { name: 'Accept Asha Rao' }).dblclick()
    await see(page, 'Subscription accepted')
    await rowOf(page, first.email).waitFor({ state: 'hidden' })
    expect(await acceptances(first.email, server)).toBe(1)
    await page.goto('/admin')
    const row = await find(page, first.email)
    await row.getByRole('button', { name: 'History of Asha Rao' }).click()
    await page.getByRole('dialog', { name: 'Subscription history' }).getByRole('button', { name: 'Undo' }).click()
    await see(page, 'Undone. Everything is as it was before.')
    await page.keyboard.press('Escape')
    await row.getByText('pending', { exact: true }).waitFor()
    expect(await stateOf(first.email)).toEqual(before)
    await page.goto('/admin/user-req')
    await rowOf(page, first.email).waitFor()
  })

  await test.step('changes months while the session ends, signs in again, and the change is made once', async () => {
    await page.goto('/admin')
    const row = await find(page, other.email)
    await row.getByRole('button', { name: 'Change subscription months of Asha Rao' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Subscription Months' })
    await dialog.getByLabel('Months', { exact: true }).fill('3')
    await endSessions(admin.email, server.databaseUrl)
    await dialog.getByRole('button', { name: 'Save' }).dblclick()
    await signInAgain(page)
    await see(page, 'Subscription months updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    const [changes] = await sql<{ count: number }>(
      "select count(*)::int as count from subscription_history join users on users.id = user_id where email = $1 and command = 'months'",
      [other.email],
      server.databaseUrl,
    )
    expect(changes?.count).toBe(1)
  })

  await test.step('decides in one of two tabs, and the other one says that the row has changed', async () => {
    await page.goto('/admin/user-req')
    const tab = await page.context().newPage()
    await tab.goto('/admin/user-req')
    await rowOf(tab, second.email).waitFor()
    await rowOf(page, second.email).getByRole('button', { name: 'Decline Asha Rao' }).click()
    await page
      .getByRole('alertdialog', { name: 'Decline the request of Asha Rao?' })
      .getByRole('button', { name: 'Decline', exact: true })
      .click()
    await see(page, 'Request declined')
    await rowOf(tab, second.email).getByRole('button', { name: 'Accept Asha Rao' }).click()
    await see(tab, 'This is not possible any more, because the status has changed. Please reload.')
    await rowOf(tab, second.email).waitFor({ state: 'hidden' })
    expect((await stateOf(second.email))?.status).toBe('cancel')
    await tab.close()
  })

  await test.step('opens a confirmation, goes back instead, and nothing has happened', async () => {
    await page.goto('/admin')
    await page.goto('/admin/user-req')
    await rowOf(page, third.email).getByRole('button', { name: 'Decline Asha Rao' }).click()
    await page.getByRole('alertdialog', { name: 'Decline the request of Asha Rao?' }).waitFor()
    await page.goBack()
    await arriveAt(page, '/admin')
    await page.goForward()
    await rowOf(page, third.email).waitFor()
    expect((await stateOf(third.email))?.status).toBe('pending')
  })

  await test.step('finds all of it in the log, and signs out', async () => {
    await page.getByRole('link', { name: 'Audit Log' }).click()
    await arriveAt(page, '/admin/audit')
    await rowOf(page, paid.email).first().waitFor()
    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.goBack()
    await see(page, /^403/)
    expect(await page.getByText(paid.email).count()).toBe(0)
  })

  expect(withoutEndedSession(refusals)).toEqual(['409 POST /admin/userstatus'])
}

async function acceptances(email: string, server: OwnServer): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int as count from subscription_history join users on users.id = user_id where email = $1 and command = 'accept'",
    [email],
    server.databaseUrl,
  )
  return row?.count ?? 0
}

/** Calls that waited for the new sign-in are no news. */
function withoutEndedSession(refusals: readonly string[]): readonly string[] {
  expect(refusals.some((refusal) => refusal.startsWith('401 '))).toBe(true)
  return refusals.filter((refusal) => !refusal.startsWith('401 '))
}

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended. Sign in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

function endSessions(email: string, databaseUrl?: string): Promise<unknown> {
  return sql('update sessions set ended_at = now() from users where users.id = user_id and email = $1', [email], databaseUrl)
}

async function decide(admin: Parameters<typeof callAs>[0], email: string, status: boolean): Promise<void> {
  const [user] = await sql<{ id: string }>('select id from users where email = $1', [email])
  await callAs(admin, 'POST', '/admin/userstatus', { id: user?.id, status })
}

async function count(what: string, value: string): Promise<number> {
  const [row] = await sql<{ count: number }>(`select count(*)::int as count from ${what}`, [value])
  return row?.count ?? 0
}

function newUtr(): string {
  return `4${Array.from({ length: 11 }, () => randomInt(10)).join('')}`
}
