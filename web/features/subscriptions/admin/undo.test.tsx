// Confirmations of decisions that hurt by a slip, the choice between terms, and undo from the message and the history.
import { act } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { makeChange, makeTerm } from '#web/testing/factories.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { confirm, openUser } from '#web/testing/screens.ts'
import { expectFocus, textsOf } from '#web/testing/see.ts'

const cancelled = makeUser('premium', { status: 'cancel', isPremium: false })
const bodies = () => server.calls(api.subscriptions.setStatus).map(({ body }) => body)

function answerTerm(term: Parameters<typeof makeTerm>[0]): void {
  server.on(api.subscriptions.term, () => ({ success: true, data: makeTerm(term) }))
}
function answerDecision(change?: string): void {
  const message = change === undefined ? 'Will be done' : 'Subscription suspended'
  server.on(api.subscriptions.setStatus, () => ({ success: true, statuscode: 200, message, change }))
  server.on(api.subscriptions.undo, () => ({ success: true, message: 'Undone. Everything is as it was before.' }))
}
const undos = () => server.calls(api.subscriptions.undo).map(({ params, body }) => ({ ...params, ...body }))

describe('a confirmation', () => {
  test.each([
    ['Suspend', makeUser('premium'), {}, 'Suspend Ravi Iyer?', 'Ravi Iyer loses premium now, instead of on 22 Feb 2027.'],
    [
      'Suspend',
      makeUser('premium'),
      { premiumEnd: null },
      'Suspend Ravi Iyer?',
      'The term of Ravi Iyer is over. The status changes to cancel.',
    ],
    [
      'Decline',
      makeUser('pending'),
      { premiumEnd: null },
      'Decline the request of Ravi Iyer?',
      'The payment 412345678903 is declined. Ravi Iyer gets no premium.',
    ],
    [
      'Decline',
      makeUser('pending'),
      {},
      'Decline the request of Ravi Iyer?',
      'The payment 412345678903 is declined. Ravi Iyer keeps premium until 22 Feb 2027, which was paid before.',
    ],
    [
      'Accept',
      cancelled,
      { isReferenceUsed: false, premiumEnd: null, newEnd: '2027-02-23T06:30:00.000Z' },
      'Accept Ravi Iyer?',
      'Ravi Iyer gets premium until 23 Feb 2027: 3 months from now, for the payment 412345678903.',
    ],
  ] as const)('of %s names person, effect and date: %#', async (button, user, term, title, sentence) => {
    const { page } = openUser(user)
    answerTerm(term)
    answerDecision()
    await page.press(`${button} Ravi Iyer`)
    const dialog = await page.find('alertdialog', title)
    await page.see(sentence, dialog)
    await page.see('You can undo this for an hour.', dialog)
    await expectFocus(await page.find('button', 'Cancel', dialog))
    await page.press('Cancel', dialog)
    await page.goneFrom('alertdialog', title)
    expect(bodies()).toEqual([])
    await page.press(`${button} Ravi Iyer`)
    await confirm(page, title, button)
    await page.goneFrom('alertdialog', title)
    expect(bodies()).toEqual([{ id: idOf(2), status: button === 'Accept', from: user.status }])
  })

  test('can only be given once its effect is known', async () => {
    const { page } = openUser(makeUser('premium'))
    server.reject(api.subscriptions.term, new AppError('internal', 'http.internal'))
    await page.press('Suspend Ravi Iyer')
    const dialog = await page.find('alertdialog', 'Suspend Ravi Iyer?')
    await page.find('button', 'Try again', dialog)
    expect((await page.find('button', 'Suspend', dialog)).hasAttribute('disabled')).toBe(true)
    answerTerm({})
    await page.press('Try again', dialog)
    await page.see('Ravi Iyer loses premium now, instead of on 22 Feb 2027.', dialog)
  })

  test('of a user without months is impossible, and says why', async () => {
    const { page } = openUser(cancelled)
    answerTerm({ months: 0, isReferenceUsed: false })
    await page.press('Accept Ravi Iyer')
    const dialog = await page.find('alertdialog', 'Accept Ravi Iyer?')
    await page.see('Ravi Iyer has no subscription months. Set them first.', dialog)
    expect((await page.find('button', 'Accept', dialog)).hasAttribute('disabled')).toBe(true)
  })
})

describe('accepting a used reference', () => {
  const ends = { premiumEnd: null, restEnd: '2027-01-05T06:30:00.000Z', newEnd: '2027-02-23T06:30:00.000Z' }
  const used = 'The payment 412345678903 has already paid for a term. A new term comes without a new payment.'

  async function open(term: Parameters<typeof makeTerm>[0]): Promise<{ page: Page; dialog: HTMLElement }> {
    const { page } = openUser(cancelled)
    answerTerm(term)
    answerDecision()
    await page.press('Accept Ravi Iyer')
    return { page, dialog: await page.find('alertdialog', 'Accept Ravi Iyer?') }
  }

  test.each([
    ['rest', /^The rest of the earlier term/],
    ['new', /^A new term of 3 months/],
  ] as const)('asks for the %s of the term or a new one, and chooses nothing itself', async (term, label) => {
    const { page, dialog } = await open(ends)
    await page.see(used, dialog)
    await page.see('Premium until 05 Jan 2027. Only the unused paid days are restored.', dialog)
    await page.see('Premium until 23 Feb 2027.', dialog)
    expect((await page.find('button', 'Accept', dialog)).hasAttribute('disabled')).toBe(true)
    await page.user.click(await page.find('radio', label, dialog))
    await confirm(page, 'Accept Ravi Iyer?', 'Accept')
    await page.goneFrom('alertdialog', 'Accept Ravi Iyer?')
    expect(bodies()).toEqual([{ id: idOf(2), status: true, from: 'cancel', term }])
  })

  test('asks as well where no payment is on record', async () => {
    const { page, dialog } = await open({ ...ends, restEnd: null, reference: null, isReferenceUsed: false })
    await page.see('No payment of Ravi Iyer is on record. A new term comes without one.', dialog)
    await page.find('radio', /^A new term of 3 months/, dialog)
  })

  test('says that nothing is left after an expiry, and still asks for the new term', async () => {
    const { page, dialog } = await open({ ...ends, restEnd: null })
    await page.see(used, dialog)
    await page.see('Nothing is left of the earlier term.', dialog)
    expect(textsOf(page.all('radio', undefined, dialog))).toHaveLength(1)
    expect((await page.find('button', 'Accept', dialog)).hasAttribute('disabled')).toBe(true)
  })
})

describe('undo', () => {
  async function suspend(): Promise<{ page: Page; message: HTMLElement }> {
    const { page } = openUser(makeUser('premium'))
    answerDecision('17')
    await page.press('Suspend Ravi Iyer')
    await confirm(page, 'Suspend Ravi Iyer?', 'Suspend')
    const message = (await page.see('Subscription suspended')).closest<HTMLElement>('[role=dialog]')
    if (message === null) throw new Error('the message is no toast')
    await page.goneFrom('alertdialog', 'Suspend Ravi Iyer?')
    return { page, message }
  }

  test('is offered by the message, and takes the act back by its version', async () => {
    const { page, message } = await suspend()
    await page.press('Undo', message)
    const undone = (await page.see('Undone. Everything is as it was before.')).closest<HTMLElement>('[role=dialog]')
    await page.see('Ravi Iyer', undone ?? undefined)
    await page.seeNoMore('Subscription suspended')
    expect(undos()).toEqual([{ id: idOf(2), change: '17' }])
  })

  test('says why it was refused', async () => {
    const { page, message } = await suspend()
    server.reject(api.subscriptions.undo, new AppError('conflict', 'subscriptions.undoNotPossible'))
    await page.press('Undo', message)
    await page.see('This cannot be undone any more, because the subscription has changed since.')
  })

  test('is offered in the history of the person while it is possible', async () => {
    const { page } = openUser(makeUser('premium'))
    answerDecision('17')
    const undoUntil = new Date(Date.now() + 60_000).toISOString()
    let changes = [makeChange({ id: '17', command: 'suspend', undoUntil }), makeChange({ id: '16', command: 'accept' })]
    server.on(api.subscriptions.userHistory, () => ({ success: true, data: changes }))
    await page.press('History of Ravi Iyer')
    const drawer = await page.find('dialog', 'Subscription history')
    await page.see('Suspended', drawer)
    expect(page.all('button', 'Undo', drawer)).toHaveLength(1)
    changes = [makeChange({ id: '18', command: 'undo', undoes: '17' }), ...changes.map((change) => ({ ...change, undoUntil: null }))]
    await page.press('Undo', drawer)
    await page.see('Undone: Suspended', drawer)
    expect(undos()).toEqual([{ id: idOf(2), change: '17' }])
    expect(page.all('button', 'Undo', drawer)).toEqual([])
  })

  test('is gone from the history after its time', async () => {
    const { page } = openUser(makeUser('premium'))
    const undoUntil = new Date(Date.now() - 1).toISOString()
    server.on(api.subscriptions.userHistory, () => ({ success: true, data: [makeChange({ command: 'suspend', undoUntil })] }))
    await page.press('History of Ravi Iyer')
    const drawer = await page.find('dialog', 'Subscription history')
    await page.see('Suspended', drawer)
    expect(page.all('button', 'Undo', drawer)).toEqual([])
  })
})

describe('the message with an undo', () => {
  async function messageAfterNine() {
    const { page } = openUser(makeUser('premium'))
    answerDecision('17')
    await page.press('Suspend Ravi Iyer')
    await page.find('alertdialog', 'Suspend Ravi Iyer?')
    stopClock()
    await confirm(page, 'Suspend Ravi Iyer?', 'Suspend')
    const message = (await page.see('Subscription suspended')).closest<HTMLElement>('[role=dialog]')
    if (message === null) throw new Error('the message is no toast')
    await passTime(9_000)
    expect(message.hasAttribute('data-ending-style')).toBe(false)
    return { page, message }
  }

  test('stays for ten seconds, and waits while hovered', async () => {
    const { page, message } = await messageAfterNine()
    await page.user.hover(message)
    await passTime(20_000)
    expect([message.isConnected, message.hasAttribute('data-ending-style')]).toEqual([true, false])
    await page.user.unhover(message)
    await passTime(1_100)
    await page.seeNoMore('Subscription suspended')
  })

  test('waits while its Undo is focused', async () => {
    const { page, message } = await messageAfterNine()
    const undo = await page.find('button', 'Undo', message)
    act(() => undo.focus())
    await passTime(20_000)
    expect([message.isConnected, message.hasAttribute('data-ending-style')]).toEqual([true, false])
    act(() => undo.blur())
    await passTime(1_100)
    await page.seeNoMore('Subscription suspended')
  })
})
