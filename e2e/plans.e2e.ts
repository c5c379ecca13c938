// Journeys of an admin on Payment Management: plans made, changed and deleted, and the files that may be their image.
import { expect, type Locator, type Page } from '@playwright/test'
import type { PlanType } from '../shared/plans/plan.ts'
import { expectAccessible } from './harness/accessible.ts'
import { heavyQrImage, plainImage, qrImage, svgFile, svgNamedPng, textFile, textNamedPng, type ChosenFile } from './harness/image-files.ts'
import { addPerson, password } from './harness/people.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { clearPlans, putPlan } from './harness/plans.ts'
import { press, rowOf, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { type Open, expectEventually, sizes, test } from './harness/test.ts'

// The plans are the same for everybody, so these tests have a server of their own and take turns.
test.describe.configure({ mode: 'default' })

let server: OwnServer

test.beforeAll(async () => {
  server = await startOwnServer()
})
test.beforeEach(() => clearPlans(server.databaseUrl))
test.afterAll(() => server.stop())

const addAdmin = () => addPerson('admin', server)
const putOwnPlan = (type: PlanType) => putPlan(type, server.databaseUrl)

const megabyte = 1024 * 1024
const path = '/admin/update-payment'

test.describe('an admin', () => {
  test('puts both plans on sale, changes one and deletes it', async ({ open }) => {
    const admin = await addAdmin()
    const { page } = await open(path, { as: admin })
    await see(page, 'No regular plan is on sale.')
    await see(page, 'No crypto plan is on sale.')
    const add = page.getByRole('button', { name: 'Add New Payment' })

    await add.click()
    expect(await limitsOf(page, 'Price (₹)')).toEqual({ min: '0', max: '', step: '0.01' })
    expect(await limitsOf(page, 'Duration (months)')).toEqual({ min: '1', max: '120', step: '1' })
    await press(page, 'Save')
    await see(page, 'All fields are required')
    expect(await page.getByLabel('Type').inputValue()).toBe('regular')
    await page.getByLabel('Duration (months)').fill('3')
    await page.getByLabel('Price (₹)').fill('0')
    await chooseImage(page, await qrImage('png'))
    await see(page, 'Image uploaded successfully!')
    await press(page, 'Save')
    await see(page, 'Price must be greater than 0')
    await page.getByLabel('Price (₹)').fill('999')
    await page.getByLabel('Duration (months)').fill('0')
    await press(page, 'Save')
    await see(page, 'Duration must be greater than 0 months')
    await page.getByLabel('Duration (months)').fill('3')
    await press(page, 'Save')
    await see(page, 'Payment info created successfully')
    await sectionOf(page, 'Regular Payment Plan').getByText('₹999').waitFor()
    await sectionOf(page, 'Regular Payment Plan').getByText('3 months', { exact: true }).waitFor()
    await sectionOf(page, 'Regular Payment Plan').getByText('shop@okaxis').waitFor()

    await add.click()
    // The type that is still free stands there already; the other one is refused.
    expect(await page.getByLabel('Type').inputValue()).toBe('crypto')
    await page.getByLabel('Duration (months)').fill('1')
    await page.getByLabel('Price ($)').fill('49.5')
    await chooseImage(page, await qrImage('webp'))
    await page.getByRole('img', { name: 'The chosen QR image' }).waitFor()
    await page.getByLabel('Type').selectOption('regular')
    await press(page, 'Save')
    await see(page, 'A regular payment plan already exists. You can only have one regular plan at a time.')
    await page.getByLabel('Type').selectOption('crypto')
    await press(page, 'Save')
    await sectionOf(page, 'Crypto Payment Plan').getByText('$49.50').waitFor()
    await sectionOf(page, 'Crypto Payment Plan').getByText('1 month', { exact: true }).waitFor()
    await expectEventually(() => add.isDisabled()).toBe(true)

    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog', { name: 'Edit Payment' }).waitFor()
    expect(await page.getByLabel('Type').isDisabled()).toBe(true)
    expect(await page.getByLabel('Duration (months)').inputValue()).toBe('3')
    await page.getByLabel('Price (₹)').fill('1099')
    await press(page, 'Save')
    await see(page, 'Payment info updated successfully')
    await sectionOf(page, 'Regular Payment Plan').getByText('₹1,099').waitFor()
    await see(page, new RegExp(`^Last changed by ${admin.email} on `))

    await sectionOf(page, 'Crypto Payment Plan').getByRole('button', { name: 'Delete' }).click()
    await see(page, 'Are you sure you want to delete this payment info?')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
    await sectionOf(page, 'Crypto Payment Plan').getByText('$49.50').waitFor()
    await sectionOf(page, 'Crypto Payment Plan').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await see(page, 'Payment info deleted successfully')
    await see(page, 'No crypto plan is on sale.')
    await expectEventually(() => add.isDisabled()).toBe(false)
  })

  test('sees what is wrong at the field that it is about, where the keyboard is then', async ({ open }) => {
    const { page } = await open(path, { as: await addAdmin() })
    await press(page, 'Add New Payment')
    const dialog = page.getByRole('dialog', { name: 'Add New Payment' })
    const [months, price] = [dialog.getByLabel('Duration (months)'), dialog.getByLabel('Price (₹)')]
    await press(page, 'Save')
    await expectFault(months, 'All fields are required')
    await months.pressSequentially('1e1')
    await price.fill('9.999')
    await press(page, 'Save')
    await expectFault(dialog.getByRole('button', { name: 'Choose image' }), 'All fields are required')
    await chooseImage(page, await qrImage('png'))
    await dialog.getByRole('img', { name: 'The chosen QR image' }).waitFor()
    await press(page, 'Save')
    await expectFault(price, 'Price must have at most two decimals and be at most 10,000,000')
    await expectAccessible(page)
    await price.fill('999')
    await press(page, 'Save')
    await expectFault(months, 'Duration must be greater than 0 months')
    await months.fill('3')
    // Meanwhile somebody else puts that type on sale, which only the server knows.
    await putOwnPlan('regular')
    await press(page, 'Save')
    await expectFault(dialog.getByLabel('Type'), 'A regular payment plan already exists. You can only have one regular plan at a time.')
  })

  test('finds own acts on the plans in the audit log, with what changed', async ({ open }) => {
    const admin = await addAdmin()
    const { page } = await open(path, { as: admin })
    await press(page, 'Add New Payment')
    await page.getByLabel('Duration (months)').fill('3')
    await page.getByLabel('Price (₹)').fill('999')
    await chooseImage(page, await qrImage('png'))
    await see(page, 'Image uploaded successfully!')
    await press(page, 'Save')
    await see(page, 'Payment info created successfully')
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Price (₹)').fill('1299')
    await press(page, 'Save')
    await see(page, 'Payment info updated successfully')
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await see(page, 'Payment info deleted successfully')

    await page.getByRole('link', { name: 'Audit Log' }).click()
    await page.getByPlaceholder('Search by person, act or target').fill(admin.email)
    const acts = rowOf(page, 'regular plan').filter({ hasText: admin.email })
    // The rows go away for a moment while the log is searched, so they are read in one piece.
    let texts: readonly string[] = []
    await expectEventually(async () => {
      texts = await acts.allTextContents()
      return texts.map((row) => /Plan [a-z]+ed(?=regular)/.exec(row)?.[0])
    }).toEqual(['Plan deleted', 'Plan updated', 'Plan created'])
    const [, updated = '', created = ''] = texts
    expect(updated).toContain('price 999 → 1299')
    expect(created).toContain('price 999, months 3')
    // A swapped QR code shows as another hash; the image itself is not there.
    expect(created).toMatch(/image [0-9a-f]{40}…/)
    expect(created).not.toContain('base64')
  })

  test('who edits what somebody else has changed meanwhile is told to reload', async ({ open }) => {
    await putOwnPlan('regular')
    const { page } = await open(path, { as: await addAdmin() })
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Price (₹)').fill('1')
    await sql(`update plans set version = version + 1, price_minor = 55500 where type = 'regular'`, [], server.databaseUrl)
    await press(page, 'Save')
    await see(page, 'Somebody else has changed this plan. Please reload.')
  })

  test('is told in the words of the specification when loading, saving or deleting fails', async ({ open }) => {
    await putOwnPlan('regular')
    const said = { message: 'Of the server', error: 'Of the server' }
    const refusal = { status: 500, json: { ...said, success: false, code: 'internal', statuscode: 500 } }
    const { page } = await open(path, {
      as: await addAdmin(),
      before: async (fresh) => {
        await fresh.route('**/api/v1/admin/payment-info', (route) => route.fulfill(refusal))
      },
    })
    await see(page, 'Error fetching payment data')
    await page.unroute('**/api/v1/admin/payment-info')
    await press(page, 'Try again')
    const section = sectionOf(page, 'Regular Payment Plan')
    await section.getByRole('button', { name: 'Edit' }).click()
    await page.route('**/api/v1/admin/update-payment-info', (route) => route.abort())
    await press(page, 'Save')
    await see(page, 'Error saving payment info')
    await page.unroute('**/api/v1/admin/update-payment-info')
    await page.route('**/api/v1/admin/update-payment-info', (route) => route.fulfill(refusal))
    await press(page, 'Save')
    await see(page, 'Of the server')
    await page.keyboard.press('Escape')
    await page.route('**/api/v1/admin/payment-info/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await section.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await see(page, 'Error deleting payment info')
    await section.getByText('₹999').waitFor()
  })

  test('whose sign-in is old gives the password again before a plan changes', async ({ open }) => {
    await putOwnPlan('regular')
    const admin = await addAdmin()
    const { page } = await open(path, { as: admin })
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await sql(
      `update sessions set created_at = created_at - interval '16 minutes', confirmed_at = confirmed_at - interval '16 minutes'
        where user_id = (select id from users where email = $1)`,
      [admin.email],
      server.databaseUrl,
    )
    await page.getByLabel('Price (₹)').fill('1299')
    await press(page, 'Save')
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirm.getByText('Please confirm your password to continue', { exact: true }).waitFor()
    await confirm.getByLabel('Your password', { exact: true }).fill('not-the-one')
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await see(page, 'The password is wrong')
    await expectAccessible(page)
    await confirm.getByLabel('Your password', { exact: true }).fill(password)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await see(page, 'Payment info updated successfully')
    await sectionOf(page, 'Regular Payment Plan').getByText('₹1,299').waitFor()
  })

  test('reads whom a plan pays before it is saved, and is warned of an image that pays nobody', async ({ open }) => {
    const page = await openForm(open)
    await chooseImage(page, plainImage())
    await see(page, 'No QR code was found in this image. Buyers could not scan it.')
    await chooseImage(page, await qrImage('png'))
    await page.getByRole('dialog').getByText('shop@okaxis').waitFor()
    await page.getByRole('dialog').getByText('Tezi Charts').waitFor()
  })
})

test.describe('a buyer', () => {
  test('reads that nothing is on sale, and finds the only plan chosen as soon as there is one', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('free', server) })
    await press(page, 'See Premium')
    const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })
    await dialog.getByText('No plan is on sale yet. As soon as one is, you can buy it here.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
    await dialog.waitFor({ state: 'hidden' })
    await putOwnPlan('crypto')
    await press(page, 'See Premium')
    await dialog.getByLabel('Order ID', { exact: true }).waitFor()
    await expectEventually(() => dialog.getByRole('radio', { name: /Crypto/ }).isChecked()).toBe(true)
    expect(await dialog.getByLabel('Duration').inputValue()).toBe('3 months')
  })
})

test.describe('the image of a plan', () => {
  for (const format of ['png', 'jpeg', 'gif', 'webp'] as const) {
    test(`may be a ${format} file`, async ({ open }) => {
      const page = await openForm(open)
      await chooseImage(page, await qrImage(format))
      await see(page, 'Image uploaded successfully!')
      await page.getByRole('dialog', { name: 'Add New Payment' }).getByText('shop@okaxis').waitFor()
      expect(await page.getByText('Image was compressed to reduce file size.').count()).toBe(0)
      await page.getByLabel('Duration (months)').fill('1')
      await page.getByLabel('Price (₹)').fill('10')
      await press(page, 'Save')
      const image = sectionOf(page, 'Regular Payment Plan').getByRole('img', { name: 'QR code of the regular plan' })
      await image.waitFor()
      await expectEventually(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    })
  }

  const refused: readonly (readonly [string, () => ChosenFile | Promise<ChosenFile>, string])[] = [
    ['an SVG', () => svgFile, 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'],
    ['a text', () => textFile, 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'],
    ['an SVG that calls itself .png', () => svgNamedPng, 'Invalid image file'],
    ['a text that calls itself .png', () => textNamedPng, 'Invalid image file'],
    ['over 2 MB', () => heavyQrImage(2 * megabyte), 'File size too large. Maximum size allowed is 2MB'],
    ['over 1024 pixels', () => qrImage('png', 1100), 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels'],
    // Too small to be compressed, too long for the 1.5 million characters.
    [
      'too long when encoded',
      () => heavyQrImage(1.3 * megabyte),
      'Image is still too large after compression. Please select a smaller image.',
    ],
  ]

  for (const [what, make, sentence] of refused) {
    test(`must not be ${what}`, async ({ open }) => {
      const page = await openForm(open)
      await chooseImage(page, await make())
      await see(page, sentence)
      expect(await page.getByRole('img', { name: 'The chosen QR image' }).count()).toBe(0)
      // Another choice makes it good.
      await chooseImage(page, await qrImage('png'))
      await see(page, 'Image uploaded successfully!')
      await page.getByText(sentence, { exact: true }).waitFor({ state: 'hidden' })
    })
  }

  test('that the browser cannot read is named as such', async ({ open }) => {
    const page = await openForm(open)
    await page.evaluate(() => {
      FileReader.prototype.readAsDataURL = function fail() {
        this.dispatchEvent(new ProgressEvent('error'))
      }
    })
    await chooseImage(page, await qrImage('png'))
    await see(page, 'Error reading file')
  })

  test('is made smaller above 1.4 MB, is said so, and still pays the same', async ({ open }) => {
    const page = await openForm(open)
    const quality = await page.evaluateHandle(() => {
      const seen: unknown[] = []
      const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toDataURL')?.value as (...args: unknown[]) => string
      HTMLCanvasElement.prototype.toDataURL = function watched(...args: unknown[]) {
        seen.push(args[1])
        return own.apply(this, args)
      }
      return seen
    })
    await chooseImage(page, await heavyQrImage(1.5 * megabyte))
    await see(page, 'Image was compressed to reduce file size.')
    expect(await quality.jsonValue()).toEqual([0.8])
    await see(page, 'Image uploaded successfully!')
    await page.getByRole('dialog', { name: 'Add New Payment' }).getByText('shop@okaxis').waitFor()
    expect(await page.getByRole('img', { name: 'The chosen QR image' }).getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/)
  })
})

for (const [name, size] of sizes) {
  test.describe(`Payment Management at ${name}`, () => {
    test('is accessible, empty and full, and so are its dialogs', async ({ open }) => {
      const { page } = await open(path, { as: await addAdmin(), size })
      await see(page, 'No regular plan is on sale.')
      await expectAccessible(page)
      await putOwnPlan('regular')
      await putOwnPlan('crypto')
      await page.reload()
      await sectionOf(page, 'Crypto Payment Plan').getByText('$49.50').waitFor()
      await expectAccessible(page)
      await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('dialog', { name: 'Edit Payment' }).waitFor()
      await page.getByLabel('Price (₹)').fill('')
      await press(page, 'Save')
      await see(page, 'All fields are required')
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Edit Payment' }).waitFor({ state: 'hidden' })
      await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Delete' }).click()
      await see(page, 'Are you sure you want to delete this payment info?')
      await expectAccessible(page)
    })
  })
}

async function openForm(open: Open): Promise<Page> {
  const { page } = await open(path, { as: await addAdmin() })
  await press(page, 'Add New Payment')
  await page.getByRole('dialog', { name: 'Add New Payment' }).waitFor()
  return page
}

async function chooseImage(page: Page, file: ChosenFile): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}

/** What a number field says of its range. */
/** The field has the focus and is described by the fault. */
async function expectFault(field: Locator, message: string): Promise<void> {
  const state = () =>
    field.evaluate((element) => ({
      isFocused: element === document.activeElement,
      says: (element.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? ''),
    }))
  await expectEventually(state).toMatchObject({ isFocused: true, says: expect.arrayContaining([message]) as string[] })
}

function limitsOf(page: Page, label: string): Promise<{ min: string; max: string; step: string }> {
  return page.getByLabel(label).evaluate((element) => {
    const { min, max, step } = element as HTMLInputElement
    return { min, max, step }
  })
}

function sectionOf(page: Page, name: string) {
  return page.getByRole('region', { name })
}
