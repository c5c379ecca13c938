// Pages that the browser translates, as Chrome offers it to Hindi phones.
import { expect, type Page } from '@playwright/test'
import { translatePage } from '#web/testing/translate-page.ts'
import { addPerson, password } from './harness/people.ts'
import { phone, test } from './harness/test.ts'

/** Marked, so that a text of the page itself is told from a translated one. */
const translate = (page: Page) => page.evaluate(`(${translatePage.toString()})((text) => text.replace(/(?<=\\p{Letter})$/u, '\u00b7'))`)

test('a translated sign-in page keeps what was typed, and a second try signs in', async ({ open }) => {
  const person = await addPerson('free')
  const gate = Promise.withResolvers<void>()
  const { page } = await open('/login', {
    size: phone,
    before: async (fresh) => {
      await fresh.route('**/assets/vendor-*.js', async (route) => {
        await gate.promise
        await route.continue()
      })
    },
  })
  await translate(page)
  const email = page.getByRole('textbox', { name: /^Email/ })
  const field = page.getByRole('textbox', { name: /^Password/ })
  const submit = page.getByRole('button', { name: /^Sign in to Dashboard/ })
  await email.fill(person.email)
  await field.fill('wrong')
  await submit.click()
  gate.resolve()
  await page.getByText('Invalid email or password').waitFor()
  expect(await email.inputValue()).toBe(person.email)
  await field.fill(password)
  await submit.click()
  await page.getByText(/^Nifty 50 Index/).waitFor()
})
