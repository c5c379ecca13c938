// Admin decisions on subscriptions: requests, buttons by status, months and history of a user.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { eventually } from '#web/testing/eventually.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { makeChange, makeRequest, makeTerm } from '#web/testing/factories.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages, confirm, openUser } from '#web/testing/screens.ts'
import { issueOf, textsOf } from '#web/testing/see.ts'

const internal = new AppError('internal', anySentence('Of the server'))
const tooLate = new AppError('conflict', 'adminDecisions.notPossible')
const notPossible = 'This is not possible any more, because the status has changed. Please reload.'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** The admin area with these requests; a decision removes one from the list. */
function openRequests(requests = [makeRequest()]): Page {
  answerAdminPages()
  let waiting = requests
  server.on(api.subscriptions.requests, () => ({ success: true, data: waiting }))
  server.on(api.subscriptions.setStatus, ({ body }) => {
    waiting = waiting.filter(({ userId }) => userId !== body.id)
    return { success: true, statuscode: 200, message: body.status ? subscriptionText.accepted : subscriptionText.declined }
  })
  return openPage('/admin/user-req', { as: 'admin' })
}

describe('Requested Users', () => {
  test('shows a load error and can be retried', async () => {
    answerAdminPages()
    server.reject(api.subscriptions.requests, internal)
    const page = openPage('/admin/user-req', { as: 'admin' })
    const alert = await page.find('alert')
    await page.see('Of the server', alert)
    server.on(api.subscriptions.requests, () => ({ success: true, data: [] }))
    await page.press('Try again', alert)
    await page.see('No pending requests.')
    await page.find('heading', 'Requested Users')
  })

  test('shows what an admin compares before deciding', async () => {
    const page = openRequests([
      makeRequest({ createdAt: minutesAgo(5) }),
      makeRequest({
        id: idOf(202),
        userId: idOf(3),
        name: 'Meera Nair',
        email: 'meera@example.in',
        type: 'crypto',
        months: 3,
        price: 49.5,
        currency: 'USD',
        utrNo: '234567890123456789',
        rail: 'binance',
        createdAt: minutesAgo(180),
        earlierRequests: 1,
        hint: 'utr-date',
      }),
      makeRequest({ id: idOf(203), userId: idOf(4), createdAt: minutesAgo(0), earlierRequests: 2 }),
    ])
    const table = await page.find('table', 'Requested Users')
    expect(textsOf(page.all('columnheader', undefined, table))).toEqual([
      'User',
      'Age',
      'Expected amount',
      'Claimed reference',
      'Seen before',
      'Hint',
      'Action',
    ])
    const rows = page.all('row', undefined, table).slice(1)
    expect(rows.map((row) => textsOf(page.all('cell', undefined, row)))).toEqual([
      ['Ravi Iyerravi@example.in', '5 min', '₹9991 month', '412345678903UPI, regular', 'First request', '–', 'AcceptDecline'],
      [
        'Meera Nairmeera@example.in',
        '3 h',
        '$49.503 months',
        '234567890123456789BINANCE, crypto',
        '1 earlier request',
        'The number does not start with a recent date, as UPI references usually do',
        'AcceptDecline',
      ],
      ['Ravi Iyerravi@example.in', 'now', '₹9991 month', '412345678903UPI, regular', '2 earlier requests', '–', 'AcceptDecline'],
    ])
  })

  test.each([
    ['Accept', true, 'Subscription accepted'],
    ['Decline', false, 'Request declined'],
  ])('%s sends the decision with the status it is based on, once, and refetches the list', async (button, status, sentence) => {
    const page = openRequests()
    const release = server.hold(api.subscriptions.setStatus)
    await page.press(`${button} Ravi Iyer`)
    if (button === 'Decline') await confirm(page, 'Decline the request of Ravi Iyer?', 'Decline')
    const buttons = button === 'Accept' ? ['Accept Ravi Iyer', 'Decline Ravi Iyer'] : ['Decline']
    for (const name of buttons) {
      const waiting = await page.find('button', name)
      await eventually(() => expect(waiting.getAttribute('aria-disabled')).toBe('true'))
      await page.pressBusy(name)
    }
    release()
    const toast = (await page.see(sentence)).closest<HTMLElement>('[role=dialog]')
    if (toast === null) throw new Error('the message is no toast')
    // Two quick decisions are told apart by their names.
    await page.see('Ravi Iyer', toast)
    await page.see('No pending requests.')
    expect(server.calls(api.subscriptions.setStatus).map(({ body }) => body)).toEqual([{ id: idOf(2), status, from: 'pending' }])
  })

  test('opens the history of the person, which stays open when the request is decided elsewhere', async () => {
    const page = openRequests()
    server.on(api.subscriptions.userHistory, () => ({ success: true, data: [makeChange()] }))
    await page.press('History of Ravi Iyer')
    const drawer = await page.find('dialog', 'Subscription history')
    await page.see('Expected amount', drawer)
    server.on(api.subscriptions.requests, () => ({ success: true, data: [] }))
    window.dispatchEvent(new Event('visibilitychange'))
    await page.see('No pending requests.')
    expect(drawer.isConnected).toBe(true)
    await page.see('Ravi Iyer, ravi@example.in', drawer)
  })

  test('a confirmation stays open when the request is decided elsewhere, and says so', async () => {
    const page = openRequests()
    await page.press('Decline Ravi Iyer')
    const dialog = await page.find('alertdialog', 'Decline the request of Ravi Iyer?')
    await page.see('You can undo this for an hour.', dialog)
    server.on(api.subscriptions.requests, () => ({ success: true, data: [] }))
    window.dispatchEvent(new Event('visibilitychange'))
    await page.see(notPossible, dialog)
    expect((await page.find('button', 'Decline', dialog)).hasAttribute('disabled')).toBe(true)
    await page.press('Cancel', dialog)
    await page.goneFrom('alertdialog', 'Decline the request of Ravi Iyer?')
    expect(server.calls(api.subscriptions.setStatus)).toEqual([])
  })

  test('a decision that comes too late shows an error, and the list is refetched', async () => {
    const page = openRequests()
    await page.find('button', 'Accept Ravi Iyer')
    server.reject(api.subscriptions.setStatus, tooLate)
    server.on(api.subscriptions.requests, () => ({ success: true, data: [] }))
    await page.press('Accept Ravi Iyer')
    await page.see(notPossible)
    await page.see('No pending requests.')
  })

  test('a status code other than 200 shows a neutral message', async () => {
    const page = openRequests()
    await page.find('button', 'Accept Ravi Iyer')
    server.on(api.subscriptions.setStatus, () => ({ success: true, statuscode: 202, message: 'Will be done' }))
    await page.press('Accept Ravi Iyer')
    await page.see('Will be done')
    await page.find('dialog', 'Note')
  })

  test('asks for the password when the sign-in is old, and then decides', async () => {
    const page = openRequests()
    let isConfirmed = false
    server.on(api.subscriptions.setStatus, () => {
      if (!isConfirmed) throw new AppError('forbidden', 'admin.confirmPassword')
      return { success: true, statuscode: 200, message: 'Subscription accepted' }
    })
    await page.press('Accept Ravi Iyer')
    const dialog = await page.find('dialog', 'Confirm your password')
    await page.see('Please confirm your password to continue', dialog)
    await page.press('Confirm', dialog)
    await page.see('Please fill all the fields', dialog)
    server.reject(api.passwords.confirm, new AppError('forbidden', 'admin.passwordWrong'))
    await page.fill('Your password', 'not-the-one', dialog)
    await page.press('Confirm', dialog)
    await page.see('The password is wrong', dialog)
    server.on(api.passwords.confirm, () => {
      isConfirmed = true
      return { success: true, message: 'Password confirmed' }
    })
    await page.fill('Your password', 'Kesar-Chai-42', dialog)
    await page.press('Confirm', dialog)
    await page.see('Subscription accepted')
    await page.goneFrom('dialog', 'Confirm your password')
    expect(server.calls(api.subscriptions.setStatus)).toHaveLength(2)
  })

  test('cancelling the password prompt decides nothing, and shows why', async () => {
    const page = openRequests()
    await page.find('button', 'Accept Ravi Iyer')
    server.reject(api.subscriptions.setStatus, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Accept Ravi Iyer')
    await page.press('Cancel', await page.find('dialog', 'Confirm your password'))
    await page.goneFrom('dialog', 'Confirm your password')
    await page.see('Please confirm your password to continue')
    expect(server.calls(api.subscriptions.setStatus)).toHaveLength(1)
    await page.find('button', 'Accept Ravi Iyer')
  })
})

describe('actions of a user', () => {
  test.each([
    ['who never asked', makeUser('free'), []],
    ['who waits', makeUser('pending'), ['Accept', 'Decline']],
    ['who has paid', makeUser('premium'), ['Suspend']],
    ['who is cancelled', makeUser('premium', { status: 'cancel', isPremium: false }), ['Accept']],
  ])('for a user %s: %# [spec 4.4]', async (_, user, buttons) => {
    const { page } = openUser(user)
    await page.find('button', 'History of Ravi Iyer')
    expect(textsOf(page.all('button', /^(Accept|Decline|Suspend) Ravi Iyer$/))).toEqual(buttons)
  })

  test('suspend, and show the refetched status [spec 4.3]', async () => {
    const { page, change } = openUser(makeUser('premium'))
    server.on(api.subscriptions.setStatus, () => {
      change({ status: 'cancel', isPremium: false })
      return { success: true, statuscode: 200, message: 'Subscription suspended' }
    })
    await page.press('Suspend Ravi Iyer')
    await confirm(page, 'Suspend Ravi Iyer?', 'Suspend')
    await page.see('Subscription suspended')
    await page.see('cancel')
    await page.find('button', 'Accept Ravi Iyer')
    expect(server.calls(api.subscriptions.setStatus).map(({ body }) => body)).toEqual([{ id: idOf(2), status: false, from: 'paid' }])
  })

  test.each([
    ['pending', 'Decline', 'Decline the request of Ravi Iyer?', { status: 'paid', isPremium: true }],
    ['premium', 'Suspend', 'Suspend Ravi Iyer?', { status: 'cancel', isPremium: false }],
    ['premium', 'Suspend', 'Suspend Ravi Iyer?', { status: null, isPremium: false }],
  ] as const)('whose status changes while a %s user is asked about say so: %s, %#', async (kind, button, title, changed) => {
    const { page, change } = openUser(makeUser(kind))
    await page.press(`${button} Ravi Iyer`)
    const dialog = await page.find('alertdialog', title)
    await page.see('You can undo this for an hour.', dialog)
    change(changed)
    window.dispatchEvent(new Event('visibilitychange'))
    await page.see(notPossible, dialog)
    expect((await page.find('button', button, dialog)).hasAttribute('disabled')).toBe(true)
  })

  test('of a user who leaves the page while the dialog is open say so, and stay possible', async () => {
    const { page } = openUser(makeUser('premium'))
    await page.press('Suspend Ravi Iyer')
    const dialog = await page.find('alertdialog', 'Suspend Ravi Iyer?')
    await page.see('You can undo this for an hour.', dialog)
    expect(page.all('alert', undefined, dialog)).toEqual([])
    server.on(api.admin.users, () => [])
    window.dispatchEvent(new Event('visibilitychange'))
    await page.see('Ravi Iyer is no longer on this page of the list. The status is checked again when you confirm.', dialog)
    server.on(api.subscriptions.setStatus, () => ({ success: true, statuscode: 200, message: 'Subscription suspended' }))
    await confirm(page, 'Suspend Ravi Iyer?', 'Suspend')
    await page.see('Subscription suspended')
  })

  test('that come too late show an error and the current status', async () => {
    const { page, change } = openUser(makeUser('pending'))
    await page.find('button', 'Decline Ravi Iyer')
    change({ status: 'paid', isPremium: true })
    server.reject(api.subscriptions.setStatus, tooLate)
    await page.press('Decline Ravi Iyer')
    await confirm(page, 'Decline the request of Ravi Iyer?', 'Decline')
    await page.see(notPossible)
    await page.find('button', 'Suspend Ravi Iyer')
    await page.see('paid')
    expect(page.all('button', 'Decline Ravi Iyer')).toEqual([])
  })
})

describe('Change Subscription Months', () => {
  async function openMonths() {
    const { page, change } = openUser(makeUser('premium'))
    await page.press('Change subscription months of Ravi Iyer')
    const dialog = await page.find('dialog', 'Change Subscription Months')
    await page.see('Ravi Iyer', dialog)
    return { page, dialog, change }
  }

  test.each([
    ['', 'Please enter the number of months'],
    ['0', 'Please enter a valid number greater than 0'],
    ['-1', 'Please enter a valid number greater than 0'],
    ['two', 'Please enter a valid number greater than 0'],
    ['1.5', 'Enter a whole number from 1 to 120'],
    ['121', 'Enter a whole number from 1 to 120'],
    ['999', 'Enter a whole number from 1 to 120'],
  ])('rejects "%s": %s [spec 5.16]', async (typed, sentence) => {
    const { page, dialog } = await openMonths()
    expect((await page.field('Months', dialog)).value).toBe('1')
    await page.fill('Months', typed, dialog)
    await page.press('Save', dialog)
    await page.see(sentence, dialog)
    expect(issueOf(await page.field('Months', dialog))).toBe(sentence)
    await page.press('Save', dialog)
    // Once, and not as a toast.
    expect(
      textsOf([...document.querySelectorAll('*')].filter(({ textContent, children }) => children.length === 0 && textContent === sentence)),
    ).toEqual([sentence])
    expect(server.calls(api.subscriptions.changeMonths)).toEqual([])
  })

  test("shows the error of the specification, or the server's [spec 8.12]", async () => {
    const { page, dialog } = await openMonths()
    server.disconnect(api.subscriptions.changeMonths)
    await page.fill('Months', '7', dialog)
    await page.press('Save', dialog)
    await page.see('An error occurred while updating subscription months')
    server.reject(
      api.subscriptions.changeMonths,
      new AppError('invalid', anySentence('Of the server'), { fields: { months: anySentence('At most 120 months') } }),
    )
    await page.press('Save', dialog)
    await page.see('Of the server')
    await page.see('At most 120 months', dialog)
  })

  test('saves, confirms, closes and shows the refetched months [spec 2.31, 8.14]', async () => {
    const { page, dialog, change } = await openMonths()
    server.on(api.subscriptions.changeMonths, ({ body }) => {
      change({ subscriptionMonths: Number(body.months) })
      return { success: true, message: 'Of the server' }
    })
    await page.fill('Months', ' 7 ', dialog)
    await page.press('Save', dialog)
    await page.see('Subscription months updated successfully')
    await page.goneFrom('dialog', 'Change Subscription Months')
    await page.find('cell', /^7/)
    expect(server.calls(api.subscriptions.changeMonths).map(({ body }) => body)).toEqual([{ email: 'ravi@example.in', months: 7 }])
  })
})

describe('the end of premium beside the months', () => {
  test.each([
    ['a running term', { monthsEnd: '2027-06-22T06:30:00.000Z' }, 'Premium will end on 22 Jun 2027, instead of 22 Feb 2027.'],
    ['the same months', { monthsEnd: '2027-02-22T06:30:00.000Z' }, 'Premium ends on 22 Feb 2027.'],
    ['an end in the past', { monthsEnd: '2020-12-22T06:30:00.000Z' }, 'Premium will end now, because 22 Dec 2020 is over.'],
    ['a pending request', { newEnd: '2027-06-22T06:30:00.000Z' }, 'If accepted now, premium will end on 22 Jun 2027.'],
    ['no term', {}, 'No term is running, so no date changes.'],
  ])('of %s is shown before saving', async (_, term, sentence) => {
    const { page } = openUser(makeUser('premium'))
    server.on(api.subscriptions.term, ({ query }) => ({
      success: true,
      data: makeTerm(query.months === 7 ? term : { monthsEnd: '2027-02-22T06:30:00.000Z' }),
    }))
    await page.press('Change subscription months of Ravi Iyer')
    const dialog = await page.find('dialog', 'Change Subscription Months')
    await page.see('Premium ends on 22 Feb 2027.', dialog)
    await page.fill('Months', '7', dialog)
    await page.see(sentence, dialog)
    await page.fill('Months', '121', dialog)
    await page.seeNoMore(/^Premium/, dialog)
    expect(server.calls(api.subscriptions.changeMonths)).toEqual([])
  })
})

describe('history of a user', () => {
  test('shows a load error, and the empty state', async () => {
    const { page } = openUser(makeUser('free'))
    server.reject(api.subscriptions.userHistory, internal)
    await page.press('History of Ravi Iyer')
    const drawer = await page.find('dialog', 'Subscription history')
    await page.see('Ravi Iyer, ravi@example.in', drawer)
    await page.see('Of the server', drawer)
    server.on(api.subscriptions.userHistory, () => ({ success: true, data: [] }))
    await page.press('Try again', drawer)
    await page.see('No activity yet.', drawer)
    await page.press('Close', drawer)
    await page.goneFrom('dialog', 'Subscription history')
  })

  test('lists every change with the previous value', async () => {
    const { page } = openUser(makeUser('premium'))
    server.on(api.subscriptions.userHistory, ({ params }) => ({
      success: true,
      data: [
        makeChange({
          id: '2',
          command: 'accept',
          actor: 'admin@example.in',
          reason: params.id,
          statusBefore: 'pending',
          statusAfter: 'paid',
          premiumEndAfter: '2026-12-15T06:30:00.000Z',
          at: '2026-11-21T06:30:00.000Z',
        }),
        makeChange(),
      ],
    }))
    await page.press('History of Ravi Iyer')
    const drawer = await page.find('dialog', 'Subscription history')
    await page.see('Accepted', drawer)
    expect(textsOf(page.all('listitem', undefined, drawer))).toEqual([
      `Accepted21 Nov 2026, 12:00 PMadmin@example.inStatuspending → paidPremium end– → 15 Dec 2026Months1Expected amount₹999UTR no4123 4567 8903${idOf(2)}`,
      'Requested20 Nov 2026, 12:00 PMfree@example.inStatus– → pendingPremium end–Months1Expected amount₹999UTR no4123 4567 8903',
    ])
  })
})
