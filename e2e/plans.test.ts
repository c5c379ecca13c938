// Journeys of an admin on Payment Management: plans made, changed and deleted, and the files that may be their image.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { heavyQrImage, plainImage, qrImage, svgFile, svgNamedPng, textFile, textNamedPng, type ChosenFile } from './harness/files.ts'
import { addPerson, password } from './harness/people.ts'
import { clearPlans, keepPlansToOurselves, putPlan } from './harness/plans.ts'
import { press, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { desktop, phone, test, type Open } from './harness/test.ts'

keepPlansToOurselves()
beforeEach(clearPlans)

const megabyte = 1024 * 1024
const path = '/admin/update-payment'

describe('an admin', () => {
  test('puts both plans on sale, changes one and deletes it', { timeout: 60_000 }, async ({ open }) => {
    const admin = await addPerson('admin')
    const { page } = await open(path, { as: admin })
    await see(page, 'No regular plan is on sale.')
    await see(page, 'No crypto plan is on sale.')
    const add = page.getByRole('button', { name: 'Add New Payment' })

    await add.click()
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
    await expect.poll(() => add.isDisabled()).toBe(true)

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
    await expect.poll(() => add.isDisabled()).toBe(false)
  })

  test('who edits what somebody else has changed meanwhile is told to reload', async ({ open }) => {
    await putPlan('regular')
    const { page } = await open(path, { as: await addPerson('admin') })
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Price (₹)').fill('1')
    await sql(`update plans set version = version + 1, price_minor = 55500 where type = 'regular'`)
    await press(page, 'Save')
    await see(page, 'Somebody else has changed this plan. Please reload.')
  })

  test('whose sign-in is old gives the password again before a plan changes', async ({ open }) => {
    await putPlan('regular')
    const admin = await addPerson('admin')
    const { page } = await open(path, { as: admin })
    await sectionOf(page, 'Regular Payment Plan').getByRole('button', { name: 'Edit' }).click()
    await sql(
      `update sessions set created_at = created_at - interval '16 minutes', confirmed_at = confirmed_at - interval '16 minutes'
        where user_id = (select id from users where email = $1)`,
      [admin.email],
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

describe('a buyer', () => {
  test('reads that nothing is on sale, and finds the only plan chosen as soon as there is one', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('free') })
    await press(page, 'See Premium')
    const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })
    await dialog.getByText('No plan is on sale yet. As soon as one is, you can buy it here.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
    await dialog.waitFor({ state: 'hidden' })
    await putPlan('crypto')
    await press(page, 'See Premium')
    await dialog.getByLabel('Order ID', { exact: true }).waitFor()
    await expect.poll(() => dialog.getByRole('radio', { name: /Crypto/ }).isChecked()).toBe(true)
    expect(await dialog.getByLabel('Duration').inputValue()).toBe('3 months')
  })
})

describe('the image of a plan', () => {
  test.for(['png', 'jpeg', 'gif', 'webp'] as const)('may be a %s file', async (format, { open }) => {
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
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  })

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

  test.for(refused)('must not be %s', async ([, make, sentence], { open }) => {
    const page = await openForm(open)
    await chooseImage(page, await make())
    await see(page, sentence)
    expect(await page.getByRole('img', { name: 'The chosen QR image' }).count()).toBe(0)
    // Another choice makes it good.
    await chooseImage(page, await qrImage('png'))
    await see(page, 'Image uploaded successfully!')
    await page.getByText(sentence, { exact: true }).waitFor({ state: 'hidden' })
  })

  test('is made smaller above 1.4 MB, is said so, and still pays the same', async ({ open }) => {
    const page = await openForm(open)
    await chooseImage(page, await heavyQrImage(1.5 * megabyte))
    await see(page, 'Image was compressed to reduce file size.')
    await see(page, 'Image uploaded successfully!')
    await page.getByRole('dialog', { name: 'Add New Payment' }).getByText('shop@okaxis').waitFor()
    expect(await page.getByRole('img', { name: 'The chosen QR image' }).getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/)
  })
})

describe.each([
  ['1440x900', desktop],
  ['390x844', phone],
])('Payment Management at %s', (_, size) => {
  test('is accessible, empty and full, and so are its dialogs', { timeout: 60_000 }, async ({ open }) => {
    const { page } = await open(path, { as: await addPerson('admin'), size })
    await see(page, 'No regular plan is on sale.')
    await expectAccessible(page)
    await putPlan('regular')
    await putPlan('crypto')
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

async function openForm(open: Open): Promise<Page> {
  const { page } = await open(path, { as: await addPerson('admin') })
  await press(page, 'Add New Payment')
  await page.getByRole('dialog', { name: 'Add New Payment' }).waitFor()
  return page
}

async function chooseImage(page: Page, file: ChosenFile): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}

function sectionOf(page: Page, name: string) {
  return page.getByRole('region', { name })
}
