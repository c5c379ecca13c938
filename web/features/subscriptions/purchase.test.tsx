// Premium Subscription dialog on the account page: plans, payment, reference, all errors, and the pending state.
import { describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { subscriptionServerText } from '#shared/subscriptions/text/en.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser } from '#shared/testing/user.ts'
import { makePlan, walletText } from '#web/testing/factories.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage, type OpenOptions } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { descriptionOf, expectFocus, issueOf } from '#web/testing/see.ts'

const regular = makePlan('regular')
const crypto = makePlan('crypto')
const title = 'Premium Subscription'
const utr = '412345678901'
const notUtr =
  'This is not a UTR: UPI and IMPS have 12 digits, NEFT 16 characters, RTGS 22. Look for "UTR" or "UPI Ref No" in your payment app.'

/** Opens the dialog with these plans on sale. */
async function openDialog({
  as = 'free',
  plans = [crypto, regular],
  button = 'See Premium',
}: OpenOptions & { plans?: (typeof regular)[]; button?: string } = {}) {
  answerAccountPage()
  server.on(api.plans.list, () => ({ success: true, data: plans }))
  const page = openPage('/account', { as })
  await page.press(button)
  return { page, dialog: await page.find('dialog', title) }
}

async function choose(page: Page, plan: RegExp): Promise<void> {
  await page.user.click(await page.find('radio', plan))
}

async function submit(page: Page, plan: RegExp, label: string, reference: string): Promise<void> {
  await choose(page, plan)
  await page.fill(label, reference)
  await page.press('Submit Request')
}

describe('plans on sale', () => {
  test('shows the load error of the specification, with a retry', async () => {
    answerAccountPage()
    server.reject(api.plans.list, new AppError('internal', anySentence('Of the server')))
    const page = openPage('/account', { as: 'free' })
    await page.press('See Premium')
    const alert = await page.find('alert')
    await page.see('Error fetching payment data', alert)
    server.on(api.plans.list, () => ({ success: true, data: [regular] }))
    await page.press('Retry', alert)
    await page.find('radio', /Regular/)
  })

  test('shows the empty state', async () => {
    const { page, dialog } = await openDialog({ plans: [] })
    await page.see('No plan is on sale yet. As soon as one is, you can buy it here.', dialog)
    expect((await page.find('link', 'Ask support', dialog)).getAttribute('href')).toBe('https://t.me/tezi_support')
    const [, close] = page.all('button', 'Close', dialog)
    if (close !== undefined) await page.user.click(close)
    await page.goneFrom('dialog', title)
    server.on(api.plans.list, () => ({ success: true, data: [crypto] }))
    await page.press('See Premium')
    // A single plan is preselected.
    await eventually(() => expect((page.all('radio', /Crypto/)[0] as HTMLInputElement).checked).toBe(true))
    expect((await page.field('Duration')).value).toBe('3 months')
  })

  test('names the network and the address of USDT, warns of others, and copies address and amount by one button each', async () => {
    const address = '0x55d398326f99059fF775485246999027B3197955'
    const { page, dialog } = await openDialog({ plans: [makePlan('crypto', { network: 'bep20', address })] })
    await page.see('BEP-20 (BNB Smart Chain)', dialog)
    await page.see('Send USDT on BEP-20 (BNB Smart Chain) only. Coins sent on another network are lost.', dialog)
    await page.press('Copy payee', dialog)
    await eventually(async () => expect(await navigator.clipboard.readText()).toBe(address))
    await page.press('Copy amount', dialog)
    await eventually(async () => expect(await navigator.clipboard.readText()).toBe('49.50'))
  })

  test('without a network says whom to ask before USDT is sent; UPI needs none', async () => {
    const { page, dialog } = await openDialog()
    await choose(page, /Crypto/)
    await page.see('Ask support which network to use before you send USDT. Coins sent on a wrong network are lost.', dialog)
    await choose(page, /Regular/)
    await page.seeNoMore(/network/, dialog)
  })

  test('shows the loading state', async () => {
    answerAccountPage()
    const release = server.hold(api.plans.list)
    const page = openPage('/account', { as: 'free' })
    await page.press('See Premium')
    await page.find('status', 'Loading plans')
    release()
    await page.see('No plan is on sale yet. As soon as one is, you can buy it here.')
  })

  test('shows price, months, QR code, payee and exact amount of the selected plan [spec 2.19, 2.20, 9.11]', async () => {
    const { page, dialog } = await openDialog()
    await page.see('Premium opens the whole terminal:', dialog)
    expect((await page.find('radio', /Regular/)).closest('label')?.textContent).toBe('Regular₹999UPI1 month')
    expect((await page.find('radio', /Crypto/)).closest('label')?.textContent).toBe('Crypto$49.50USDT3 months')
    await page.see('Choose a plan to see the payee and the amount.', dialog)
    expect(descriptionOf(await page.field('UTR No. or Order ID'))).toBe('UTR is a 12-digit number. The crypto order ID is 18 digits.')
    await choose(page, /Regular/)
    expect((await page.find('img', 'QR code that pays ₹999 to shop@okaxis')).getAttribute('src')).toBe(regular.qrcodeUrl)
    await page.see('Tezi Charts', dialog)
    const duration = await page.field('Duration')
    expect([duration.value, duration.readOnly]).toEqual(['1 month', true])
    expect(descriptionOf(await page.field('UTR No.'))).toBe('UTR is a 12-digit number')
    expect((await page.find('link', 'Open a UPI app')).getAttribute('href')).toBe(
      'upi://pay?pa=shop@okaxis&pn=Tezi%20Charts&cu=INR&am=999.00',
    )
    await choose(page, /Crypto/)
    await page.find('img', `QR code that pays $49.50 to ${walletText}`)
    expect((await page.field('Duration')).value).toBe('3 months')
    expect(descriptionOf(await page.field('Order ID'))).toBe('The crypto order ID is 18 digits')
    expect(page.all('link', 'Open a UPI app')).toEqual([])
  })

  test('can be copied, and a clipboard error is shown', async () => {
    const { page } = await openDialog()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    await choose(page, /Regular/)
    stopClock()
    await page.press('Copy payee')
    await page.find('button', 'Copied')
    expect(await navigator.clipboard.readText()).toBe('shop@okaxis')
    await passTime(2000)
    await page.press('Copy amount')
    await eventually(async () => expect(await navigator.clipboard.readText()).toBe('999'))
    await choose(page, /Crypto/)
    await passTime(2000)
    await page.press('Copy amount')
    await eventually(async () => expect(await navigator.clipboard.readText()).toBe('49.50'))
    write.mockRejectedValue(new Error('refused'))
    await page.press('Copy payee')
    await page.find('button', 'Not copied')
    await passTime(2000)
    await page.find('button', 'Copy payee')
    write.mockRestore()
  })
})

describe('purchase form', () => {
  test.each([
    [undefined, 'UTR No. or Order ID', utr, 'Please select a payment option.'],
    [/Crypto/, 'Order ID', '', 'Please fill in Order ID field.'],
    [/Regular/, 'UTR No.', ' ', 'Please fill in UTR No. field.'],
    [/Regular/, 'UTR No.', '12345', notUtr],
    [/Crypto/, 'Order ID', '12345', 'This is not an Order ID: it has 18 or 19 digits, or is the transaction hash of your transfer.'],
  ])('with the plan %s and the %s "%s" shows: %s [spec 5.5]', async (plan, label, reference, sentence) => {
    const { page } = await openDialog()
    await page.find('radio', /Regular/)
    if (plan !== undefined) await choose(page, plan)
    await page.fill(label, reference)
    await page.press('Submit Request')
    await page.see(sentence)
    if (plan !== undefined) {
      expect(issueOf(await page.field(label))).toBe(sentence)
      await expectFocus(await page.field(label))
    }
    expect(server.calls(api.subscriptions.submit)).toEqual([])
  })

  test('shows an error about the reference at its field, and any other above the button', async () => {
    const { page } = await openDialog()
    const used = subscriptionServerText.referenceUsed
    server.reject(api.subscriptions.submit, new AppError('conflict', anySentence(used), { fields: { utrNo: anySentence(used) } }))
    await submit(page, /Regular/, 'UTR No.', ` ${utr.slice(0, 6)} ${utr.slice(6)} `)
    await page.see('This reference has already been used for another request')
    const field = await page.field('UTR No.')
    expect(issueOf(field)).toBe(used)
    await expectFocus(field)
    server.reject(api.subscriptions.submit, new AppError('too-many', 'http.tooMany'))
    await page.fill('UTR No.', utr)
    expect(page.has(used)).toBe(false)
    await page.press('Submit Request')
    expect((await page.find('alert')).textContent).toBe('Too many requests. Please slow down.')
    await choose(page, /Crypto/)
    expect(page.all('alert')).toEqual([])
  })

  test.each([
    ['no answer', () => server.disconnect(api.subscriptions.submit), 'Failed to submit data'],
    [
      'the page of a proxy',
      () => server.answerRaw(api.subscriptions.submit, { status: 502, text: '<html>Bad gateway</html>' }),
      'Failed to submit data',
    ],
    ['plain text', () => server.answerRaw(api.subscriptions.submit, { status: 500, text: 'Out of order' }), 'Out of order'],
    [
      'an error with status 200',
      () => server.answerRaw(api.subscriptions.submit, { status: 200, text: '{"error":"Not today"}' }),
      'Not today',
    ],
  ])('keeps the typed values when it gets %s [spec 8.5]', async (_, prepare, sentence) => {
    const { page } = await openDialog()
    prepare()
    await submit(page, /Regular/, 'UTR No.', utr)
    await eventually(() => expect(page.all('alert').map((one) => one.textContent)).toEqual([sentence]))
    expect((await page.field('UTR No.')).value).toBe(utr)
    await page.find('button', 'Submit Request')
  })

  test('refetches the plans when they have changed meanwhile, and cannot be sent before', async () => {
    const { page } = await openDialog()
    let release = () => undefined as void
    server.on(api.subscriptions.submit, () => {
      server.on(api.plans.list, () => ({ success: true, data: [makePlan('regular', { price: 1299 })] }))
      release = server.hold(api.plans.list)
      throw new AppError('conflict', 'subscriptions.planChanged')
    })
    const before = server.calls(api.plans.list).length
    await submit(page, /Regular/, 'UTR No.', utr)
    await eventually(() => expect(server.calls(api.plans.list).length).toBeGreaterThan(before))
    await page.pressBusy('Submitting...')
    release()
    await page.see('The plan has changed, please reload')
    await page.find('img', 'QR code that pays ₹1,299 to shop@okaxis')
    expect(server.calls(api.subscriptions.submit)).toHaveLength(1)
  })

  test("sends plan and reference once, shows the server's message, and the dialog is pending from then on [spec 8.6]", async () => {
    const { page } = await openDialog()
    const release = server.hold(api.subscriptions.submit)
    server.on(api.subscriptions.submit, () => {
      server.changeUser({ status: 'pending', utrNo: utr, paymentType: 'upi', subscriptionMonths: 1 })
      return { success: true, message: 'Your subscription request has been submitted' }
    })
    await submit(page, /Regular/, 'UTR No.', ` ${utr} `)
    await page.pressBusy('Submitting...')
    release()
    await page.see('Your subscription request has been submitted')
    await page.goneFrom('dialog', title)
    expect(server.calls(api.subscriptions.submit).map(({ body }) => body)).toEqual([{ utrNo: utr, Months: 1, price: 999, type: 'regular' }])
    const subscription = await page.find('region', 'Subscription')
    await page.find('heading', 'Request Pending', subscription)
    expect(page.all('button', 'See Premium')).toEqual([])
  })
})

describe('other users of the dialog', () => {
  test('renewing: shows when the new months begin', async () => {
    const { page, dialog } = await openDialog({ as: 'premium', button: 'Renew' })
    await page.see('Your premium runs until 15 Dec 2026. The new months are added after it, so no paid day is lost.', dialog)
    expect(page.has('Premium opens the whole terminal:')).toBe(false)
  })

  test('pending: shows no form, and once accepted the dialog closes [spec 2.21]', async () => {
    const { page, dialog } = await openDialog()
    await page.find('radio', /Regular/)
    server.changeUser(makeUser('pending'))
    window.dispatchEvent(new Event('focus'))
    await page.find('heading', 'Request Pending', dialog)
    await page.see('Your subscription request is being processed. Please wait for approval.', dialog)
    expect(page.all('button', 'Submit Request')).toEqual([])
    await page.find('link', 'Ask support', dialog)
    server.changeUser(makeUser('premium'))
    window.dispatchEvent(new Event('focus'))
    await page.goneFrom('dialog', title)
  })
})
