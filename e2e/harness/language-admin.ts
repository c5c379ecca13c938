// The admin area in the pseudo-locale, with its dialogs and drawers.
import type { Page } from '@playwright/test'
import { text, type Walk } from './languages.ts'
import { addPerson, addRequest, callAs } from './people.ts'
import { press, rowOf, see } from './see.ts'

const { adminScreens: screens, adminInstruments, adminMarket, datesText, kit, roles, systemStatus } = { ...text, datesText: text.dates }
const name = 'Asha Rao'

const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).first()

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
}

async function users({ open, look, server, isPhone }: Walk): Promise<void> {
  const person = await addPerson('premium', server)
  const page = await open('/admin', { as: await addPerson('admin', server) })
  await see(page, screens.figureExpiring)
  await page.getByText(person.email).first().waitFor()
  await look(page, 'all users')
  if (isPhone) {
    await press(page, screens.menu)
    await dialogOf(page).waitFor()
    await look(page, 'menu of the admin area')
    await close(page)
  }
  await page.goto(`/admin?search=${person.email}`)
  await page.getByText(person.email).first().waitFor()
  for (const [opener, screen] of [
    [screens.resetPasswordOf(name), 'temporary password'],
    [screens.changeMonthsOf(name), 'months'],
    [screens.actionFor(screens.suspend, name), 'suspension'],
    [screens.historyOf(name), 'history'],
  ] as const) {
    await press(page, opener)
    await dialogOf(page).waitFor()
    await look(page, screen)
    if (screen === 'history') {
      await press(page, roles.promote)
      await see(page, roles.promoteTitle)
      await look(page, 'change of role')
      await page.keyboard.press('Escape')
      await see(page, roles.promote)
    }
    await close(page)
  }
  await page.getByRole('button', { name: datesText.choose(datesText.start) }).click()
  await look(page, 'calendar')
  await page.goto('/admin?search=nobody-at-all')
  await see(page, screens.noUsers)
  await look(page, 'no users')
}

async function requests({ open, look, server }: Walk): Promise<void> {
  await addRequest(server)
  await addRequest(server)
  const page = await open('/admin/user-req', { as: await addPerson('admin', server) })
  await page
    .getByRole('button', { name: screens.actionFor(screens.decline, name) })
    .first()
    .waitFor()
  await look(page, 'requests')
  await press(page, screens.actionFor(screens.decline, name))
  await dialogOf(page).waitFor()
  await look(page, 'decline')
  await close(page)
  await press(page, screens.actionFor(screens.accept, name))
  await see(page, text.subscriptions.accepted)
  await look(page, 'message with an undo')
}

async function plans({ open, look, server }: Walk): Promise<void> {
  const page = await open('/admin/update-payment', { as: await addPerson('admin', server) })
  await page.getByRole('button', { name: screens.edit, exact: true }).nth(1).waitFor()
  await look(page, 'plans')
  for (const at of [0, 1]) {
    await page.getByRole('button', { name: screens.edit, exact: true }).nth(at).click()
    await dialogOf(page).waitFor()
    await look(page, `plan ${at + 1}`)
    await page.getByLabel(screens.duration).fill('0')
    await press(page, screens.save)
    await look(page, `errors of plan ${at + 1}`)
    await close(page)
  }
  await press(page, screens.delete)
  await see(page, text.adminPlans.confirmDelete)
  await look(page, 'deletion of a plan')
  await close(page)
  await page.goto('/admin/reset-password')
  await press(page, screens.changePassword)
  await look(page, 'password of a user')
}

async function auditAndStatus({ open, look, server }: Walk): Promise<void> {
  const admin = await addPerson('admin', server)
  await callAs(admin, 'GET', '/admin/users.csv')
  const page = await open('/admin/audit', { as: admin })
  await see(page, text.audit.intro)
  await page.getByRole('combobox', { name: text.audit.action }).selectOption('all')
  await rowOf(page, admin.email).or(page.getByText(admin.email)).first().waitFor()
  await look(page, 'audit log')
  await page.goto('/admin/status')
  await see(page, systemStatus.status)
  await page.getByRole('table').or(page.getByRole('list')).first().waitFor()
  await look(page, 'status')
  await page.goto('/admin/no-such-page')
  await see(page, text.statusPages.notFound)
  await look(page, '404 of the admin area')
  const free = await open('/admin', { as: await addPerson('free', server) })
  await see(free, text.statusPages.forbidden)
  await look(free, '403')
}

async function market({ open, look, server }: Walk): Promise<void> {
  const page = await open('/admin/market', { as: await addPerson('admin', server) })
  await see(page, adminMarket.marketData)
  await page.getByRole('row').or(page.getByRole('listitem')).nth(3).waitFor()
  await look(page, 'market data')
  await page.goto('/admin/instruments')
  await page.getByRole('button', { name: adminInstruments.editOf('BTC/USD') }).click()
  await look(page, 'instruments')
  await dialogOf(page).waitFor()
  await press(page, adminInstruments.add)
  await press(page, adminInstruments.save)
  await look(page, 'instrument')
  await press(page, kit.cancel)
}

export const adminWalks = {
  'users of the admin area': users,
  requests: requests,
  'plans and passwords': plans,
  'audit log, status and denied pages': auditAndStatus,
  'market data and instruments': market,
}
