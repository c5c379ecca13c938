// All Users: figures, search, dates, order and pages in the address, table, export, and password dialog.
import { describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { takeLoggedErrors } from '#web/testing/console.ts'
import { eventually } from '#web/testing/eventually.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { answerAdminPages } from '#web/testing/screens.ts'
import { expectFocus, issueOf, textsOf } from '#web/testing/see.ts'

const internal = new AppError('internal', anySentence('Of the server'))
const columnsOfSpec = [
  'S.No',
  'Name',
  'Email',
  'Phone',
  'Premium',
  'Status',
  'Premium start',
  'Months',
  'Premium end',
  'Payment type',
  'UTR no',
  'Action',
]

/** Many users, of which the server returns the requested page. */
function openCrowd(count: number, path = '/admin'): Page {
  answerAdminPages()
  const crowd = Array.from({ length: count }, (_, index) =>
    makeUser('free', { _id: idOf(1000 + index), name: `User ${index + 1}`, email: `user-${index + 1}@example.in` }),
  )
  server.on(api.admin.users, ({ query: { page = 1, perPage = count, sort, search = '' }, replyHeaders }) => {
    const found = crowd.filter(({ name }) => name.includes(search))
    replyHeaders.set('x-total-count', String(found.length))
    return (sort === 'desc' ? found.toReversed() : found).slice((page - 1) * perPage, page * perPage)
  })
  return openPage(path, { as: 'admin' })
}

function openUser(user: ReturnType<typeof makeUser>): Page {
  answerAdminPages()
  server.on(api.admin.users, () => [{ ...user, _id: idOf(2), name: 'Ravi Iyer', email: 'ravi@example.in' }])
  return openPage('/admin', { as: 'admin' })
}

async function cellsOf(page: Page): Promise<string[]> {
  await page.find('button', 'History of Ravi Iyer')
  return textsOf(page.all('cell'))
}

function namesOf(page: Page): string[] {
  return textsOf(page.all('button', /^History of /))
}

function paramsOf(): Record<string, string> {
  return Object.fromEntries(new URL(window.location.href).searchParams)
}

describe('user list', () => {
  test('shows a load error and can be retried', async () => {
    answerAdminPages()
    server.reject(api.admin.users, internal)
    const page = openPage('/admin', { as: 'admin' })
    const alert = await page.find('alert')
    await page.see('Of the server', alert)
    server.on(api.admin.users, () => [])
    await page.press('Try again', alert)
    await page.see('No users found.')
  })

  test('keeps the table as it was when a response is not a list', async () => {
    const page = openCrowd(20)
    await eventually(() => expect(namesOf(page).length).toBeGreaterThan(0))
    const before = namesOf(page)
    server.answerRaw(api.admin.users, { status: 200, text: '{"users":"Of the server"}' })
    const calls = server.calls(api.admin.users).length
    await page.press('Next')
    await eventually(() => expect(server.calls(api.admin.users).length).toBeGreaterThan(calls))
    await eventually(() => expect(takeLoggedErrors().join()).toContain('The list of users could not be read'))
    expect(namesOf(page)).toEqual(before)
    expect(page.all('alert')).toEqual([])
  })

  test('logs a response that is not a list, and shows none of it [spec 8.10]', async () => {
    answerAdminPages()
    server.answerRaw(api.admin.users, { status: 200, text: '{"users":"Of the server"}' })
    const page = openPage('/admin', { as: 'admin' })
    await page.see('No users found.')
    expect(page.all('alert')).toEqual([])
    expect(page.has(/Of the server/)).toBe(false)
    const logged = takeLoggedErrors()
    expect(logged.length).toBeGreaterThan(0)
    for (const entry of logged) expect(entry).toContain('The list of users could not be read')
  })

  test('has the columns of the specification, and shows N/A for missing values [spec 2.28]', async () => {
    const page = openUser(makeUser('free'))
    expect(await cellsOf(page)).toEqual([
      '1',
      'Ravi Iyer',
      'ravi@example.in',
      '9876543210',
      'Regular',
      '–',
      '–',
      '0',
      '–',
      'N/A',
      'N/A',
      '',
    ])
    expect(textsOf(page.all('columnheader'))).toEqual(columnsOfSpec)
    expect(page.all('button', 'Change subscription months of Ravi Iyer')).toEqual([])
  })

  test('shows the rail in upper case, and an edit icon for months above 0 [spec 2.30]', async () => {
    const page = openUser(makeUser('premium'))
    expect((await cellsOf(page)).slice(4, 11)).toEqual(['Premium', 'paid', '01 Nov 2026', '1', '15 Dec 2026', 'UPI', '412345678902'])
    expect(page.all('button', 'Change subscription months of Ravi Iyer')).toHaveLength(1)
  })

  test('shortens a transaction hash in the middle, and copies it in full', async () => {
    const hash = `0X${'A1B2'.repeat(16)}`
    const page = openUser(makeUser('premium', { utrNo: hash }))
    expect((await page.see('0XA1B2…A1B2')).title).toBe(hash)
    await page.press('Copy reference of Ravi Iyer')
    await page.find('button', 'Copied')
    expect(await navigator.clipboard.readText()).toBe(hash)
  })

  test.each(['412345678903', 'HDFCR52026112012345678', '1234567890123456789'])('shows the reference %s in full', async (utrNo) => {
    const page = openUser(makeUser('premium', { utrNo }))
    await page.see(utrNo)
  })

  test('shows an admin as Premium, as the header does', async () => {
    const page = openUser(makeUser('admin'))
    expect((await cellsOf(page))[4]).toBe('Premium')
  })

  test('shows Pending for a user with a pending request', async () => {
    const page = openUser(makeUser('pending', { paymentType: 'crypto' }))
    const cells = await cellsOf(page)
    expect([cells[4], cells[5], cells[7], cells[9]]).toEqual(['Regular', 'pending', '1', 'CRYPTO'])
  })

  test('is a list of cards with the same buttons on a phone', async () => {
    setViewport('phone')
    const page = openUser(makeUser('premium'))
    await page.find('button', 'Suspend Ravi Iyer')
    expect(page.all('table')).toEqual([])
    const card = page.all('listitem').find((item) => item.textContent.includes('ravi@example.in'))
    expect(textsOf(page.all('term', undefined, card))).toEqual(columnsOfSpec.filter((name) => !['S.No', 'Name', 'Action'].includes(name)))
    await page.press('Menu')
    const sheet = await page.find('dialog', 'Admin')
    expect(textsOf(page.all('link', undefined, sheet))).toEqual(
      expect.arrayContaining(['All Users', 'Requested Users', 'Update Payment', 'Reset Password', 'Audit Log']),
    )
    await page.user.click(await page.find('link', 'Update Payment', sheet))
    await page.find('heading', 'Payment Management')
    await page.goneFrom('dialog', 'Admin')
    expect(page.address()).toBe('/admin/update-payment')
  })
})

describe('the view in the address', () => {
  test('has a debounced search, sorting and pages of thirteen [spec 2.27, 9.1]', async () => {
    const page = openCrowd(40)
    await page.see('1–13 of 40 users')
    expect(page.all('row')).toHaveLength(14)
    const search = await page.find('searchbox', 'Search')
    expect(search.getAttribute('placeholder')).toBe('Search by name, email, UTR')
    const start = page.all('columnheader', 'Premium start')[0]
    expect(start?.getAttribute('aria-sort')).toBe('none')
    await page.press('Premium start', start)
    await eventually(() => expect(paramsOf()).toEqual({ sort: 'asc' }))
    await eventually(() => expect(page.all('columnheader', 'Premium start')[0]?.getAttribute('aria-sort')).toBe('ascending'))
    await page.press('Next')
    await page.see('14–26 of 40 users')
    // The previous page stays visible until this one has loaded.
    await eventually(() => expect(namesOf(page)).toEqual(Array.from({ length: 13 }, (_, index) => `User ${index + 14}`)))
    expect(page.all('cell')[0]?.textContent).toBe('14')
    expect(paramsOf()).toEqual({ sort: 'asc', page: '2' })
    const pages = await page.find('navigation', 'Pages of the list')
    expect(textsOf(page.all('listitem', undefined, pages))).toEqual(['1', '2', '3', '4'])
    expect((await page.find('button', 'Page 2', pages)).getAttribute('aria-current')).toBe('page')
    await page.press('Page 4', pages)
    await page.see('40–40 of 40 users')
    expect((await page.find('button', 'Next')).getAttribute('aria-disabled')).toBe('true')
    await page.pressBusy('Next')
    await page.press('Previous')
    await page.see('27–39 of 40 users')
    // The order is reversed and the list returns to its first page.
    await page.press('Premium start', page.all('columnheader', 'Premium start')[0])
    await eventually(() => expect(namesOf(page)[0]).toBe('User 40'))
    expect(paramsOf()).toEqual({ sort: 'desc' })
    window.history.back()
    await page.see('27–39 of 40 users')
    await eventually(() => expect(namesOf(page)[0]).toBe('User 27'))
    await page.user.type(search, 'User 7')
    await page.see('1–1 of 1 user')
    expect(paramsOf()).toEqual({ search: 'User 7', sort: 'asc' })
    await page.user.clear(search)
    await page.user.type(search, 'nobody')
    await page.see('No users found.')
    // A burst of typing makes one request.
    expect(
      server
        .calls(api.admin.users)
        .map(({ query }) => query.search)
        .filter((one) => one?.startsWith('n')),
    ).toEqual(['nobody'])
  })

  test('is read when the page opens, and sent to the server', async () => {
    const page = openCrowd(40, '/admin?search=User&sort=desc&page=2&from=2025-01-05&to=2025-01-09')
    await page.see('14–26 of 40 users')
    expect((await page.find('searchbox', 'Search')).getAttribute('value')).toBe('User')
    expect([(await page.field('Start date')).value, (await page.field('End date')).value]).toEqual(['05/01/2025', '09/01/2025'])
    expect(server.calls(api.admin.users)[0]?.query).toEqual({
      search: 'User',
      sort: 'desc',
      from: '2025-01-05',
      to: '2025-01-09',
      page: 2,
      perPage: 13,
    })
  })

  test('has the dates, which Clear empties [spec 2.29]', async () => {
    const page = openCrowd(40, '/admin?search=User&page=2')
    await page.see('14–26 of 40 users')
    const clear = await page.find('button', 'Clear')
    expect(clear.getAttribute('aria-disabled')).toBe('true')
    await page.fill('Start date', '05/01/2025')
    await eventually(() => expect(paramsOf()).toEqual({ search: 'User', from: '2025-01-05' }))
    await eventually(() => expect(clear.getAttribute('aria-disabled')).toBe('false'))
    await page.fill('End date', '09/01/2025')
    await eventually(() =>
      expect(server.calls(api.admin.users).at(-1)?.query).toEqual({
        search: 'User',
        from: '2025-01-05',
        to: '2025-01-09',
        page: 1,
        perPage: 13,
      }),
    )
    await page.press('Clear')
    await eventually(() => expect(paramsOf()).toEqual({ search: 'User' }))
    await eventually(async () => expect((await page.field('Start date')).value).toBe(''))
  })

  test('with dates in reverse says so under the field, and asks the server for nothing', async () => {
    const page = openCrowd(40, '/admin?from=2025-01-09&to=2025-01-05')
    expect(issueOf(await page.field('End date'))).toBe('The end date is before the start date')
    expect(server.calls(api.admin.users)).toEqual([])
    await page.fill('End date', '09/01/2025')
    await page.see('1–13 of 40 users')
    expect(issueOf(await page.field('End date'))).toBeUndefined()
  })

  test('beyond the last page redirects to the first page', async () => {
    const page = openCrowd(5, '/admin?page=9')
    await page.see('This page of the list is empty.')
    await page.press('Go to the first page')
    await page.see('1–5 of 5 users')
    expect(paramsOf()).toEqual({})
  })
})

describe('Export CSV', () => {
  test('shows an error when it fails', async () => {
    const page = openCrowd(1)
    await page.see('1–1 of 1 user')
    server.disconnect(api.admin.exportUsers)
    await page.press('Export CSV')
    await page.see('The export failed. Please try again.')
    server.reject(api.admin.exportUsers, internal)
    await page.press('Export CSV')
    await page.see('Of the server')
  })

  test('downloads the filtered users', async () => {
    const saved: { name: string; file: Promise<string> }[] = []
    let file: Blob | undefined
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: (blob: Blob) => ((file = blob), 'blob:made'), revokeObjectURL: () => undefined }),
    )
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push({ name: this.download, file: file?.text() ?? Promise.resolve('') })
    })
    const page = openCrowd(1, '/admin?search=User&sort=asc')
    await page.see('1–1 of 1 user')
    server.on(api.admin.exportUsers, () => 'Name,Email\r\nUser 1,user-1@example.in\r\n')
    await page.press('Export CSV')
    await eventually(() => expect(saved).toHaveLength(1))
    expect([saved[0]?.name, await saved[0]?.file]).toEqual(['users.csv', 'Name,Email\r\nUser 1,user-1@example.in\r\n'])
    expect(server.calls(api.admin.exportUsers)[0]?.query).toEqual({ search: 'User', sort: 'asc' })
    click.mockRestore()
  })
})

describe('password of a user', () => {
  async function openDialog() {
    const page = openUser(makeUser('free'))
    await page.press('Reset password of Ravi Iyer')
    return { page, dialog: await page.find('dialog', 'Change Password') }
  }

  async function send(page: Page, dialog: HTMLElement, first: string, second: string): Promise<void> {
    await page.fill('New password', first, dialog)
    await page.fill('Confirm password', second, dialog)
    await page.press('Change Password', dialog)
  }

  test.each([
    ['', '', 'New password', 'Please fill all the fields'],
    ['Elaichi-Lassi-77', '', 'Confirm password', 'Please fill all the fields'],
    ['Elaichi-Lassi-77', 'another', 'Confirm password', 'Passwords do not match'],
  ])('as "%s" and "%s" is rejected at %s: %s [spec 5.14]', async (first, second, label, sentence) => {
    const { page, dialog } = await openDialog()
    expect((await page.field('Email', dialog)).value).toBe('ravi@example.in')
    const field = await page.field('New password', dialog)
    await expectFocus(field)
    expect(field.type).toBe('password')
    await send(page, dialog, first, second)
    await page.see(sentence, dialog)
    const wrong = await page.field(label, dialog)
    expect(issueOf(wrong)).toBe(sentence)
    await expectFocus(wrong)
    expect(server.calls(api.passwords.resetPassword)).toEqual([])
  })

  test("that cannot be set shows the error of the specification, or the server's, and clears the fields [spec 8.13]", async () => {
    const { page, dialog } = await openDialog()
    server.disconnect(api.passwords.resetPassword)
    await send(page, dialog, 'Elaichi-Lassi-77', 'Elaichi-Lassi-77')
    await page.see('An error occurred while updating password')
    await eventually(async () => expect((await page.field('New password', dialog)).value).toBe(''))
    server.reject(api.passwords.resetPassword, new AppError('invalid', 'admin.passwordAdminShort'))
    await send(page, dialog, 'short-one', 'short-one')
    await page.see('The password of an admin must be at least 12 characters long')
    await page.find('dialog', 'Change Password')
  })

  test('is set and confirmed, and the dialog closes [spec 2.32, 8.11]', async () => {
    const { page, dialog } = await openDialog()
    await page.see(/^This password is temporary: it ends after 24 hours.*signs the user out of all sessions/, dialog)
    server.on(api.passwords.resetPassword, () => ({ success: true, message: '' }))
    await send(page, dialog, 'Elaichi-Lassi-77', 'Elaichi-Lassi-77')
    await page.see('Password updated successfully')
    await page.goneFrom('dialog', 'Change Password')
    expect(server.calls(api.passwords.resetPassword).map(({ body }) => body)).toEqual([
      { email: 'ravi@example.in', newPassword: 'Elaichi-Lassi-77' },
    ])
  })
})

test('the own password needs the current one, and the own second factors are not removed here', async () => {
  answerAdminPages()
  server.on(api.admin.users, () => [makeUser('admin', { name: 'Ravi Iyer' })])
  const page = openPage('/admin', { as: 'admin' })
  await page.press('Reset password of Ravi Iyer')
  const dialog = await page.find('dialog', 'Change Password')
  await expectFocus(await page.field('Current password', dialog))
  expect(page.has(/temporary/)).toBe(false)
  expect(page.all('region', 'Two-factor sign-in', dialog)).toEqual([])
})

test('a search with more than a thousand hits shows that there are more, and no last pages', async () => {
  const page = openCrowd(1_001, '/admin?search=User')
  await page.see('1–13 of 1,000+ users')
  expect(textsOf(page.all('button', /^Page /))).toEqual(['1', '2', '3', '4', '5'])
})
