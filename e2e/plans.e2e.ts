// Payment Management: plans and the image files that they accept.
import { expect, type Locator, type Page } from '@playwright/test'
import type { PlanType } from '../shared/plans/plan.ts'
import { expectAccessible } from './harness/accessible.ts'
import { heavyQrImage, qrImage, svgFile, svgNamedPng, textFile, textNamedPng, type ChosenFile } from './harness/image-files.ts'
import { addPerson, password } from './harness/people.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { clearPlans, putPlan } from './harness/plans.ts'
import { press, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { type Open, expectEventually, taggedSizes, test } from './harness/test.ts'

// Plans are global, so these tests have their own server and run serially.
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
    // The remaining type is preselected; the other one is rejected.
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

  test('sees an error at its field, which has the focus', async ({ open }) => {
    const { page } = await open(path, { as: await addAdmin() })
    await press(page, 'Add New Payment')
    const dialog = page.getByRole('dialog', { name: 'Add New Payment' })
    const [months, price] = [dialog.getByLabel('Duration (months)'), dialog.getByLabel('Price (₹)')]
    await press(page, 'Save')
    await expectIssue(months, 'All fields are required')
    await months.pressSequentially('1e1')
    await price.fill('9.999')
    await press(page, 'Save')
    await expectIssue(dialog.getByRole('button', { name: 'Choose image' }), 'All fields are required')
    await chooseImage(page, await qrImage('png'))
    await dialog.getByRole('img', { name: 'The chosen QR image' }).waitFor()
    await press(page, 'Save')
    await expectIssue(price, 'Price must have at most two decimals and be at most 10,000,000')
    await expectAccessible(page)
    await price.fill('999')
    await press(page, 'Save')
    await expectIssue(months, 'Duration must be greater than 0 months')
    await months.fill('3')
    // Meanwhile another admin puts that type on sale, which only the server knows.
    await putOwnPlan('regular')
    await press(page, 'Save')
    await expectIssue(dialog.getByLabel('Type'), 'A regular payment plan already exists. You can only have one regular plan at a time.')
  })

  test('with an old sign-in confirms the password before a plan changes', async ({ open }) => {
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
      // Another choice is valid.
      await chooseImage(page, await qrImage('png'))
      await see(page, 'Image uploaded successfully!')
      await page.getByText(sentence, { exact: true }).waitFor({ state: 'hidden' })
    })
  }

  test('is compressed above 1.4 MB, with a message, and still has the same payee [spec 5.10]', async ({ open }) => {
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

for (const { name, size, details } of taggedSizes) {
  test.describe(`Payment Management at ${name}`, details, () => {
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

/** The field has the focus and is described by the error. */
async function expectIssue(field: Locator, message: string): Promise<void> {
  const state = () =>
    field.evaluate((element) => ({
      isFocused: element === document.activeElement,
      says: (element.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? ''),
    }))
  await expectEventually(state).toMatchObject({ isFocused: true, says: expect.arrayContaining([message]) })
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
