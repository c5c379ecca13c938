// Names, emails, references and log rows that contain script: the admin pages and the export show them as text.
import { randomUUID } from 'node:crypto'
import { text as textOf } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'
import { addPerson, callAs, password, signUpByApi } from './harness/people.ts'
import { press, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, taggedSizes, test } from './harness/test.ts'

/** Each sets the marker when it runs. */
const scripts = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=2</script>',
  '"><svg onload=window.ran=3>',
  'javascript:window.ran=4',
  "'-(window.ran=5)-'{{window.ran=6}}${window.ran=7}",
] as const

interface Hostile {
  readonly email: string
  readonly name: string
  readonly reference: string
}

/** Users who signed up with such names and emails, with requests under references that no form would accept. */
async function addHostile(mark: string): Promise<Hostile[]> {
  const people = scripts.map((script, index) => ({
    email: `x'onerror=window.ran=8/*${index}*/${mark}@example.in`,
    name: script,
    reference: `${script}${mark}`,
  }))
  for (const { email, name, reference } of people) {
    await signUpByApi(email, name)
    await sql(
      `with buyer as (update users set status = 'pending', utr_no = $2, payment_type = 'upi', subscription_months = 1 where email = $1 returning id)
       insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, created_at)
       select id, 'regular', 1, 99900, $3, $2, $2, now() from buyer`,
      [email, reference, name],
    )
    await sql(`insert into audit_log (at, actor, action, target, address, details) values (now(), $1, $2, $3, $2, $4)`, [
      `${mark}${name}`,
      name,
      reference,
      JSON.stringify({ [name]: name, before: { [name]: name }, after: { [name]: reference } }),
    ])
  }
  return people
}

/** Without the content security policy, which would block an injected script. */
async function withoutPolicy(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
}

async function expectTextOnly(page: Page): Promise<void> {
  const elements = await page.evaluate(() =>
    [...document.querySelectorAll('[onerror], [onload], body script:not([src]), img[src=x], a[href^="javascript:" i]')].map(
      (element) => element.outerHTML,
    ),
  )
  expect(elements).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBeUndefined()
}

async function expectDialog(page: Page, button: string, title: string): Promise<void> {
  await press(page, button)
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  await page.waitForLoadState('networkidle')
  await expectTextOnly(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

test('the marker would be set by an injected script', async ({ open }) => {
  const { page } = await open('/', { before: withoutPolicy })
  await expectTextOnly(page)
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), scripts[0])
  await expectEventually(() => page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBe(1)
  await expect(expectTextOnly(page)).rejects.toThrow('toEqual')
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`at ${name} script in the words of people is shown and never runs`, details, () => {
    test('in the list of users, its dialogs, the requests and who is online', async ({ open }) => {
      const mark = `m${randomUUID().slice(0, 8)}`
      const people = await addHostile(mark)
      const { page } = await open(`/admin?search=${mark}`, { as: await addPerson('admin'), size, before: withoutPolicy })
      for (const { email, name, reference } of people) {
        for (const shown of [email, name]) await page.getByText(shown).first().waitFor({ state: 'attached' })
        // The middle of a long one is not shown.
        await page.getByText(reference).or(page.getByTitle(reference)).first().waitFor({ state: 'attached' })
      }
      await expectTextOnly(page)
      for (const { name } of people) {
        await expectDialog(page, `Reset password of ${name}`, 'Change Password')
        await expectDialog(page, `Change subscription months of ${name}`, 'Change Subscription Months')
        await expectDialog(page, `History of ${name}`, 'Subscription history')
      }
      for (const { email } of people) await callAs({ email, password }, 'POST', '/user/presence', { tabId: randomUUID() })
      await page.goto('/admin/user-req')
      const online = page.getByRole('region', { name: /^Online Users/ })
      for (const { email, name, reference } of people) {
        await page.getByText(reference).first().waitFor({ state: 'attached' })
        await online.getByText(name, { exact: true }).first().waitFor({ state: 'attached' })
        await online.getByText(email, { exact: true }).waitFor({ state: 'attached' })
      }
      await expectTextOnly(page)
    })

    test('in the export and the audit log', async ({ open }) => {
      const mark = `m${randomUUID().slice(0, 8)}`
      const people = await addHostile(mark)
      const { page } = await open(`/admin?search=${encodeURIComponent(`${scripts[0]}${mark}`)}`, {
        as: await addPerson('admin'),
        size,
        before: withoutPolicy,
      })
      await see(page, '1–1 of 1 user')
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')])
      const lines = (await textOf(await download.createReadStream())).trimEnd().split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(`"<img src=x onerror=""window.ran=1"">",x'onerror=window.ran=8/*0*/${mark}@example.in,`)
      await expectTextOnly(page)

      // The export was logged with its filter.
      await page.goto('/admin/audit?action=users-exported')
      await page.getByText(`${scripts[0]}${mark}`.slice(0, 40)).first().waitFor({ state: 'attached' })
      await page.goto(`/admin/audit?action=all&target=${mark}`)
      for (const { name, reference } of people)
        for (const shown of [`${mark}${name}`, reference]) await page.getByText(shown).first().waitFor({ state: 'attached' })
      await expectTextOnly(page)
    })
  })
}
