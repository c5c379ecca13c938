// A purchase: the dialog, the decision of an admin in another browser, and the page that follows it without a reload.
import { randomInt } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { widgetConfigOf } from './harness/fake-widget.ts'
import { addPerson, callAs } from './harness/people.ts'
import { walletText } from './harness/plans.ts'
import { arriveAt, confirmSuspension, lookAgain, press, rowOf, see, seeNoMore } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, phone, taggedSizes, test } from './harness/test.ts'

const pendingText = 'Your subscription request is being processed. Please wait for approval.'

test.describe('a free user', () => {
  test('buys the regular plan, is accepted, uses premium, is suspended, all without a reload', async ({ open }) => {
    const buyer = await addPerson('free')
    const utr = newUtr()
    const { page } = await open('/', { as: buyer, hasWidget: true })
    const isSamePage = await markPage(page)
    await openDialog(page)
    const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })
    await dialog.getByText('₹999').waitFor()
    await dialog.getByText('$49.50').waitFor()
    await dialog.getByText('1 month', { exact: true }).waitFor()
    await dialog.getByText('3 months', { exact: true }).waitFor()

    await press(page, 'Submit Request')
    await see(page, 'Please select a payment option.')
    await dialog.getByRole('radio', { name: /Crypto/ }).check()
    await see(page, 'The crypto order ID is 18 digits')
    await press(page, 'Submit Request')
    await see(page, 'Please fill in Order ID field.')
    await dialog.getByRole('radio', { name: /Regular/ }).check()
    await see(page, 'UTR is a 12-digit number')
    await press(page, 'Submit Request')
    await see(page, 'Please fill in UTR No. field.')

    await dialog.getByRole('img', { name: 'QR code that pays ₹999 to shop@okaxis' }).waitFor()
    const duration = dialog.getByLabel('Duration')
    expect(await duration.inputValue()).toBe('1 month')
    expect(await duration.getAttribute('readonly')).not.toBeNull()
    await dialog.getByLabel('UTR No.').fill('12345')
    await press(page, 'Submit Request')
    await see(page, /^This is not a UTR: UPI and IMPS have 12 digits, NEFT 16 characters, RTGS 22\./)
    await dialog.getByLabel('UTR No.').fill(utr)
    await press(page, 'Submit Request')
    await see(page, 'Your subscription request has been submitted')
    await dialog.waitFor({ state: 'hidden' })
    await openDialog(page)
    await see(page, 'Request Pending')
    await see(page, pendingText)
    expect(await dialog.getByRole('button', { name: 'Submit Request' }).count()).toBe(0)

    const { page: desk } = await open('/admin/user-req', { as: await addPerson('admin') })
    const request = rowOf(desk, buyer.email)
    await request.getByText(utr).waitFor()
    await request.getByText('₹999').waitFor()
    await request.getByText('First request').waitFor()
    await request.getByRole('button', { name: 'Accept Asha Rao' }).click()
    await see(desk, 'Subscription accepted')
    await request.waitFor({ state: 'hidden' })

    await lookAgain(page)
    await see(page, 'Your subscription is active. All charts are open.')
    await see(page, 'Premium User')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('navigation', { name: 'Asset group' }).getByRole('link', { name: 'FOREX' }).click()
    await arriveAt(page, '/eur-usd')
    await page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name: 'GBP/USD' }).click()
    await arriveAt(page, '/gbp-usd')
    await seeNoMore(page, 'Loading chart...')
    await press(page, 'Settings')
    await page.getByRole('switch', { name: 'Chart 3' }).click()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({ symbol: 'FX:GBPUSD', studies: ['STD;Zig_Zag'] })

    await desk.getByRole('link', { name: 'All Users' }).click()
    await desk.getByRole('searchbox', { name: 'Search' }).fill(buyer.email)
    await rowOf(desk, buyer.email).getByRole('button', { name: 'Suspend Asha Rao' }).click()
    await confirmSuspension(desk)
    // The undo waits while the message is hovered.
    const message = desk.getByRole('dialog').filter({ hasText: 'Subscription suspended' })
    await message.hover()
    await rowOf(desk, buyer.email).getByText('cancel', { exact: true }).waitFor()

    await lookAgain(page)
    await see(page, 'Your subscription is suspended')
    await see(page, 'Free User')
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
    expect(await page.getByTestId('chart-frame').count()).toBe(0)
    await message.getByRole('button', { name: 'Undo' }).click()
    await see(desk, 'Undone. Everything is as it was before.')
    await see(page, 'Premium User')
    expect(await isSamePage()).toBe(true)
  })

  test('with a pending request is notified of the decision over the live connection', async ({ open }) => {
    const buyer = await addPerson('free')
    const admin = await addPerson('admin')
    await callAs(buyer, 'POST', '/user/payment', { utrNo: newUtr(), Months: 1, price: 999, type: 'regular' })
    const { page } = await open('/', { as: buyer })
    await see(page, 'Free User')
    const { page: desk } = await open('/admin/user-req', { as: admin })
    await rowOf(desk, buyer.email).getByRole('button', { name: 'Accept Asha Rao' }).click()
    await see(desk, 'Subscription accepted')
    await see(page, 'Premium User')
  })
})

test.describe('a premium user', () => {
  test('renews while days are left, keeps premium meanwhile, and sees the new end', async ({ open }) => {
    const buyer = await addPerson('premium')
    // Noon in India on the 15th of next month.
    const end = Temporal.Now.zonedDateTimeISO('Asia/Kolkata').add({ months: 1 }).with({ day: 15 }).toPlainDate()
    await sql(`update users set premium_end = $2, anchor_day = 15 where email = $1`, [buyer.email, `${end.toString()} 12:00+05:30`])
    const [endText, renewedText] = [dayText(end), dayText(end.add({ months: 1 }))]
    const { page } = await open('/account', { as: buyer })
    await expectEventually(() => valueOf(page, 'Premium end')).toBe(endText)
    await press(page, 'Renew')
    await see(page, `Your premium runs until ${endText}. The new months are added after it, so no paid day is lost.`)
    await choose(page, /Regular/)
    await page.getByLabel('UTR No.').fill(newUtr())
    await press(page, 'Submit Request')
    await see(page, 'Your subscription request has been submitted')
    await see(page, pendingText)
    expect(await valueOf(page, 'Access')).toBe('Premium User')

    const { page: desk } = await open('/admin/user-req', { as: await addPerson('admin') })
    await rowOf(desk, buyer.email).getByRole('button', { name: 'Accept Asha Rao' }).click()
    await see(desk, 'Subscription accepted')
    await lookAgain(page)
    await see(page, `Your subscription now runs until ${renewedText}.`)
    await expectEventually(() => valueOf(page, 'Premium end')).toBe(renewedText)
    await desk.goto(`/admin?search=${buyer.email}`)
    await rowOf(desk, buyer.email).getByText(renewedText, { exact: true }).waitFor()
  })
})

test.describe('payment details', () => {
  test('can be copied with the exact amount, and a denied clipboard is reported', async ({ open }) => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await open('/', { as: await addPerson('free'), permissions })
    await openDialog(page)
    await choose(page, /Regular/)
    await page.getByText('shop@okaxis', { exact: true }).waitFor()
    await page.getByText('Tezi Charts', { exact: true }).waitFor()
    await expectCopied(page, 'Copy payee', 'shop@okaxis')
    await expectCopied(page, 'Copy amount', '999')
    // A desktop has no payment app to open.
    expect(await page.getByRole('link', { name: 'Open a UPI app' }).count()).toBe(0)
    await choose(page, /Crypto/)
    await expectCopied(page, 'Copy payee', walletText)
    await expectCopied(page, 'Copy amount', '49.50')
    await page.evaluate(() => {
      Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('refused')) })
      // The way of pages over plain http.
      Object.assign(document, { execCommand: () => false })
    })
    await press(page, 'Copy payee')
    await page.getByRole('button', { name: 'Not copied' }).waitFor()
  })

  test('are one tap away on a phone: the payment app gets payee and amount', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('free'), size: phone })
    await page.getByRole('button', { name: 'See Premium' }).click()
    await choose(page, /Regular/)
    const link = page.getByRole('link', { name: 'Open a UPI app' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('upi://pay?pa=shop@okaxis&pn=Tezi%20Charts&cu=INR&am=999.00')
    await choose(page, /Crypto/)
    await link.waitFor({ state: 'hidden' })
  })
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`the dialog at ${name}`, details, () => {
    test('is accessible with its plans, its errors and with a pending request', async ({ open }) => {
      const buyer = await addPerson('free')
      const { page } = await open('/eur-usd', { as: buyer, size })
      await page.getByRole('button', { name: 'See Premium' }).click()
      await page.getByRole('dialog', { name: 'Premium Subscription' }).getByRole('radio').first().waitFor()
      await expectAccessible(page)
      await press(page, 'Submit Request')
      await see(page, 'Please select a payment option.')
      await expectAccessible(page)
      await choose(page, /Regular/)
      await press(page, 'Submit Request')
      await see(page, 'Please fill in UTR No. field.')
      await expectAccessible(page)
      await page.getByLabel('UTR No.').fill(newUtr())
      await press(page, 'Submit Request')
      await page.getByRole('dialog', { name: 'Premium Subscription' }).waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'See Premium' }).click()
      await see(page, pendingText)
      await expectAccessible(page)
    })
  })
}

async function openDialog(page: Page): Promise<void> {
  await press(page, 'Premium Chart')
  await page.getByTestId('premium-overlay').waitFor()
  await page.getByRole('dialog', { name: 'Premium Subscription' }).waitFor()
}

async function choose(page: Page, plan: RegExp): Promise<void> {
  await page.getByRole('radio', { name: plan }).check()
}

/** Clicks a copy button, which briefly confirms it, and reads the clipboard. */
async function expectCopied(page: Page, button: string, text: string): Promise<void> {
  await press(page, button)
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  await page.getByRole('button', { name: button, exact: true }).waitFor()
}

/** The value of a field on the account page. */
function valueOf(page: Page, name: string): Promise<string | null> {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')
    .first()
    .textContent()
}

/** For example 05 Jan 2027. */
function dayText(date: Temporal.PlainDate): string {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  return `${String(date.day).padStart(2, '0')} ${months[date.month - 1]} ${date.year}`
}

/** Resolves to a function that checks whether the page was reloaded since. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Reflect.set(window, 'markOfTest', true))
  return () => page.evaluate(() => Reflect.get(window, 'markOfTest') === true)
}

function newUtr(): string {
  return `4${digits(11)}`
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('')
}
