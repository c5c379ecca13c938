// Every screen in the pseudo-locale: nothing left in English, nothing clipped, and the font of its script only where needed.
import { expect } from '@playwright/test'
import { accountWalks } from './harness/language-account.ts'
import { adminWalks } from './harness/language-admin.ts'
import { chartWalks } from './harness/language-charts.ts'
import { visitorWalks } from './harness/language-visitors.ts'
import { isEnglish, test, text } from './harness/languages.ts'
import { readPageTexts } from './harness/page-texts.ts'
import { addPerson } from './harness/people.ts'
import { see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { sizes } from './harness/test.ts'

// One build and one server serve all walks.
test.describe.configure({ mode: 'default' })

const walks = { ...visitorWalks, ...chartWalks, ...accountWalks, ...adminWalks }

for (const [name, size] of sizes)
  test.describe(`in the pseudo-locale at ${name}`, { tag: '@languages' }, () => {
    test.use({ size })
    for (const [screens, walkThrough] of Object.entries(walks)) test(screens, ({ walk }) => walkThrough(walk))
  })

test('what is clipped, and what is left in English, is noticed', { tag: '@languages' }, async ({ walk }) => {
  const page = await walk.open('/login')
  const submit = page.getByRole('button', { name: text.login.signInSubmit })
  await submit.waitFor()
  expect((await readPageTexts(page)).clipped).toEqual([])
  await submit.evaluate((button) => Object.assign(button.style, { width: '3rem', overflow: 'hidden', whiteSpace: 'nowrap' }))
  await page
    .getByRole('heading')
    .first()
    .evaluate((heading) => heading.append('Left in English'))
  const { clipped, texts } = await readPageTexts(page)
  expect(clipped).toEqual([expect.stringContaining(text.login.signInSubmit)])
  expect(texts.filter(isEnglish)).toEqual(['Left in English'])
})

test('the Devanagari font is requested by a page that shows Devanagari, and by no other', { tag: '@slow' }, async ({ open }) => {
  const person = await addPerson('free')
  const fonts: string[] = []
  const { page } = await open('/account', {
    as: person,
    before: async (fresh) =>
      void fresh.on('request', (request) => (/devanagari.*\.woff2$/.test(request.url()) ? fonts.push(request.url()) : 0)),
  })
  const look = async (words: string) => {
    await see(page, words)
    await page.evaluate(() => document.fonts.ready)
  }
  await look('Asha Rao')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  await page.goto('/')
  await page.getByTestId('chart-legend').waitFor()
  await page.evaluate(() => document.fonts.ready)
  expect(fonts).toEqual([])

  await sql('update users set name = $2 where email = $1', [person.email, 'आशा राव'])
  await page.goto('/account')
  await look('आशा राव')
  expect(fonts).toHaveLength(1)
})
