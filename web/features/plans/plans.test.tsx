// Payment Management: plans, form validation and server errors, image selection, and deletion.
import { fireEvent } from '@testing-library/dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { eventually } from '#web/testing/eventually.ts'
import { idOf } from '#shared/testing/user.ts'
import { makePlan, upiText, walletText } from '#web/testing/factories.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'
import { descriptionOf, expectFocus, issueOf } from '#web/testing/see.ts'

const internal = new AppError('internal', anySentence('Of the server'))
const regular = makePlan('regular')
const crypto = makePlan('crypto')
const megabyte = 1024 * 1024

beforeEach(() => {
  // jsdom decodes no images: the size is encoded in the file name, and a file without one is not an image.
  vi.stubGlobal('createImageBitmap', (file: File) => {
    const [, width, height] = /(\d+)x(\d+)/.exec(file.name) ?? []
    return width === undefined
      ? Promise.reject(new Error('no image'))
      : Promise.resolve({ width: Number(width), height: Number(height), close: () => undefined })
  })
})

/** The page with these plans; the list is refetched after each action. */
function openPlans(...plans: Plan[]): { page: Page; sell: (...next: Plan[]) => void } {
  answerAdminPages()
  const lastChange = { at: '2026-11-20T06:30:00.000Z', actor: 'admin@example.in', action: 'plan-updated' } as const
  server.on(api.plans.lastChange, () => ({ success: true, data: lastChange }))
  let onSale = plans
  server.on(api.plans.list, () => ({ success: true, data: onSale }))
  server.on(api.plans.readImage, ({ body }) => ({ success: true, data: { qrcodeUrl: body.qrcodeUrl, payee: upiText } }))
  return { page: openPage('/admin/update-payment', { as: 'admin' }), sell: (...next) => void (onSale = next) }
}

async function openForm(...plans: Plan[]) {
  const { page, sell } = openPlans(...plans)
  await eventually(async () => expect((await page.find('button', 'Add New Payment')).hasAttribute('disabled')).toBe(false))
  await page.press('Add New Payment')
  return { page, sell, dialog: await page.find('dialog', 'Add New Payment') }
}

function imageFile(name = 'qr-300x300.png', type = 'image/png', bytes = 100): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

async function chooseImage(page: Page, file: File): Promise<void> {
  fireEvent.change(await page.field('QR image'), { target: { files: [file] } })
}

async function fillForm(page: Page, months: string, price: string, label = 'Price (₹)'): Promise<void> {
  await page.fill('Duration (months)', months)
  await page.fill(label, price)
}

async function seePicture(page: Page): Promise<HTMLElement> {
  return page.find('img', 'The chosen QR image')
}

describe('plan list', () => {
  test('shows the load error of the specification, with a retry [spec 2.37, 8.7]', async () => {
    answerAdminPages()
    server.reject(api.plans.list, internal)
    const page = openPage('/admin/update-payment', { as: 'admin' })
    const alert = await page.find('alert')
    await page.see('Error fetching payment data', alert)
    expect((await page.find('button', 'Add New Payment')).hasAttribute('disabled')).toBe(true)
    server.on(api.plans.list, () => ({ success: true, data: [] }))
    await page.press('Try again', alert)
    await page.see('No regular plan is on sale.')
    await page.see('No crypto plan is on sale.')
    await page.find('heading', 'Payment Management')
  })

  test('are shown as cards with price, months, image and payee, in two sections; no third can be added [spec 2.34]', async () => {
    const { page } = openPlans(crypto, regular)
    const first = await page.find('region', 'Regular Payment Plan')
    await page.see('₹999', first)
    for (const text of ['1 month', 'shop@okaxis', '20 Nov 2026, 12:00 PM']) await page.see(text, first)
    expect((await page.find('img', 'QR code of the regular plan', first)).getAttribute('src')).toBe(regular.qrcodeUrl)
    const second = await page.find('region', 'Crypto Payment Plan')
    for (const text of ['$49.50', '3 months']) await page.see(text, second)
    const add = await page.find('button', 'Add New Payment')
    expect(add.hasAttribute('disabled')).toBe(true)
    // A tooltip of a disabled button is out of reach on a phone.
    const reason = await page.see('Both plans exist already.')
    expect(add.getAttribute('aria-describedby')).toBe(reason.id)
    await page.see('Last changed by admin@example.in on 20 Nov 2026, 12:00 PM (plan updated)')
  })

  test('warns of an image without a payee or with another amount', async () => {
    const { page } = openPlans(makePlan('regular', { payee: null }), makePlan('crypto', { payee: 'upi://pay?pa=shop@okaxis&am=12' }))
    await page.see('No QR code was found in this image. Buyers could not scan it.', await page.find('region', 'Regular Payment Plan'))
    await page.see('The QR code asks for $12, which is not the price.')
  })
})

describe('the network of a crypto plan', () => {
  test('is missed on its card until it is set', async () => {
    const { page, sell } = openPlans(crypto)
    const card = await page.find('region', 'Crypto Payment Plan')
    await page.see('No network is set. Buyers may send USDT on a wrong one.', card)
    await page.press('Edit', card)
    const dialog = await page.find('dialog', 'Edit Payment')
    const address = await page.field('Address', dialog)
    await page.fill('Address', walletText, dialog)
    await page.press('Save', dialog)
    expect(issueOf(await page.field('Network', dialog))).toBe('Choose the network of this address')
    await page.user.selectOptions(await page.field('Network', dialog), 'BEP-20 (BNB Smart Chain)')
    await page.press('Save', dialog)
    expect(issueOf(address)).toBe('This is not an address of the chosen network')
    expect(server.calls(api.plans.update)).toEqual([])
    await page.user.selectOptions(await page.field('Network', dialog), 'TRC-20 (Tron)')
    server.on(api.plans.update, () => {
      sell(makePlan('crypto', { network: 'trc20', address: walletText }))
      return { success: true, message: 'Payment info updated successfully' }
    })
    await page.press('Save', dialog)
    await page.see(/^TRC-20 \(Tron\)/, card)
    expect(server.calls(api.plans.update).map(({ body }) => [body.network, body.address])).toEqual([['trc20', walletText]])
  })

  test('is not asked for a regular plan', async () => {
    const { page, dialog } = await openForm()
    await page.field('Duration (months)', dialog)
    expect(page.all('combobox', 'Network', dialog)).toEqual([])
  })
})

describe('new plan form', () => {
  test('shows the limits of its fields, and errors at each field, which is focused [spec 5.6]', async () => {
    const { page, dialog } = await openForm()
    const [months, price] = [await page.field('Duration (months)', dialog), await page.field('Price (₹)', dialog)]
    expect([price.min, price.max, price.step]).toEqual(['0', '', '0.01'])
    expect([months.min, months.max, months.step]).toEqual(['1', '120', '1'])
    expect((await page.field('Type', dialog)).value).toBe('regular')
    await page.press('Save', dialog)
    expect(issueOf(months)).toBe('All fields are required')
    await expectFocus(months)
    await fillForm(page, '3', '0')
    await page.press('Save', dialog)
    const choose = await page.find('button', 'Choose image', dialog)
    expect(descriptionOf(choose)).toContain('All fields are required')
    await expectFocus(choose)
    await chooseImage(page, imageFile())
    await seePicture(page)
    for (const [typedMonths, typedPrice, field, sentence] of [
      ['3', '0', price, 'Price must be greater than 0'],
      ['3', '9.999', price, 'Price must have at most two decimals and be at most 10,000,000'],
      ['0', '999', months, 'Duration must be greater than 0 months'],
      ['121', '999', months, 'Duration must be a whole number from 1 to 120 months'],
    ] as const) {
      await fillForm(page, typedMonths, typedPrice)
      await page.press('Save', dialog)
      expect(issueOf(field)).toBe(sentence)
      await expectFocus(field)
    }
    expect(server.calls(api.plans.create)).toEqual([])
  })

  test('starts with the free type, and rejects the other one', async () => {
    const { page, dialog } = await openForm(regular)
    const type = await page.field('Type', dialog)
    expect(type.value).toBe('crypto')
    await fillForm(page, '1', '49.5', 'Price ($)')
    await chooseImage(page, imageFile())
    await seePicture(page)
    await page.user.selectOptions(type, 'regular')
    await page.press('Save', dialog)
    await page.see('A regular payment plan already exists. You can only have one regular plan at a time.', dialog)
    expect(issueOf(type)).toBe('A regular payment plan already exists. You can only have one regular plan at a time.')
    expect(server.calls(api.plans.create)).toEqual([])
  })

  test('shows a server error at its field, and reports that saving failed [spec 8.8]', async () => {
    const { page, dialog } = await openForm()
    await fillForm(page, '3', '999')
    await chooseImage(page, imageFile())
    await seePicture(page)
    server.disconnect(api.plans.create)
    await page.press('Save', dialog)
    await page.see('Error saving payment info')
    const taken = planAdminText.typeTaken('regular')
    server.reject(api.plans.create, new AppError('conflict', anySentence(taken), { fields: { type: anySentence(taken) } }))
    await page.press('Save', dialog)
    const type = await page.field('Type', dialog)
    await eventually(() => expect(issueOf(type)).toBe(taken))
    await expectFocus(type)
    expect((await page.field('Price (₹)')).value).toBe('999')
  })

  test('saves once, confirms, closes and shows the plan', async () => {
    const { page, sell, dialog } = await openForm()
    await fillForm(page, '1', '999')
    await chooseImage(page, imageFile())
    const picture = await seePicture(page)
    const release = server.hold(api.plans.create)
    server.on(api.plans.create, () => {
      sell(regular)
      return { success: true, message: 'Payment info created successfully' }
    })
    await page.press('Save', dialog)
    await page.pressBusy('Saving...', dialog)
    release()
    await page.see('Payment info created successfully')
    await page.goneFrom('dialog', 'Add New Payment')
    await page.see('₹999', await page.find('region', 'Regular Payment Plan'))
    expect(server.calls(api.plans.create).map(({ body }) => body)).toEqual([
      { type: 'regular', month: 1, price: 999, qrcodeUrl: picture.getAttribute('src') },
    ])
  })
})

describe('plan image', () => {
  test.each([
    ['an SVG', imageFile('qr.svg', 'image/svg+xml'), 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'],
    ['over 2 MB', imageFile('qr-300x300.png', 'image/png', 2 * megabyte + 1), 'File size too large. Maximum size allowed is 2MB'],
    ['over 1024 pixels', imageFile('qr-1025x10.png'), 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels'],
    ['no image', imageFile('text.png'), 'Invalid image file'],
    [
      'too long when encoded',
      imageFile('qr-300x300.png', 'image/png', 1.3 * megabyte),
      'Image is still too large after compression. Please select a smaller image.',
    ],
  ])('is rejected if it is %s [spec 5.8]', async (_, file, sentence) => {
    const { page, dialog } = await openForm()
    await chooseImage(page, file)
    expect((await page.find('alert', undefined, dialog)).textContent).toBe(sentence)
    expect(page.all('img', 'The chosen QR image')).toEqual([])
    expect(server.calls(api.plans.readImage)).toEqual([])
    // Another choice clears the error.
    await chooseImage(page, imageFile())
    await page.see('Image uploaded successfully!')
    expect(page.has(sentence)).toBe(false)
  })

  test('shows an error if it cannot be read [spec 5.12]', async () => {
    const { page, dialog } = await openForm()
    const read = vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function fail(this: FileReader) {
      this.dispatchEvent(new ProgressEvent('error'))
    })
    await chooseImage(page, imageFile())
    await page.see('Error reading file', dialog)
    read.mockRestore()
  })

  test("is discarded when the server rejects it, with the server's message", async () => {
    const { page, dialog } = await openForm()
    server.reject(api.plans.readImage, new AppError('invalid', 'adminPlans.imageInvalid'))
    await chooseImage(page, imageFile())
    await page.see('Invalid image file', dialog)
    expect(page.all('img', 'The chosen QR image')).toEqual([])
  })

  test('shows its payee before saving, and warns if there is none or it is unknown', async () => {
    const { page, dialog } = await openForm()
    server.on(api.plans.readImage, ({ body }) => ({ success: true, data: { qrcodeUrl: body.qrcodeUrl, payee: null } }))
    await chooseImage(page, imageFile())
    await page.see('No QR code was found in this image. Buyers could not scan it.', dialog)
    server.disconnect(api.plans.readImage)
    await chooseImage(page, imageFile())
    await page.see("Couldn't verify the payee of this QR code.", dialog)
    server.on(api.plans.readImage, ({ body }) => ({ success: true, data: { qrcodeUrl: body.qrcodeUrl, payee: upiText } }))
    const release = server.hold(api.plans.readImage)
    await chooseImage(page, imageFile())
    await page.find('button', 'Reading image...', dialog)
    release()
    await page.see('shop@okaxis', dialog)
    expect(dialog.textContent).toContain('Paysshop@okaxis Tezi Charts')
    await page.find('button', 'Change image', dialog)
  })

  test('can be dropped', async () => {
    const { page, dialog } = await openForm()
    const target = (await page.find('button', 'Choose image', dialog)).closest('fieldset')?.querySelector('div')
    if (target) fireEvent.drop(target, { dataTransfer: { files: [imageFile()] } })
    await seePicture(page)
  })
})

describe('existing plan', () => {
  const edit = async (page: Page, section = 'Regular Payment Plan') => {
    await page.press('Edit', await page.find('region', section))
    return page.find('dialog', 'Edit Payment')
  }

  test('is edited with a fixed type, and based on the version the form opened with [spec 2.35, 4.11]', async () => {
    const { page, sell } = openPlans(regular)
    const dialog = await edit(page)
    expect((await page.field('Type', dialog)).disabled).toBe(true)
    expect((await page.field('Duration (months)', dialog)).value).toBe('1')
    await page.fill('Price (₹)', '1099', dialog)
    server.reject(api.plans.update, new AppError('conflict', 'adminPlans.editedMeanwhile'))
    await page.press('Save', dialog)
    await page.see('Another admin has changed this plan. Please reload.')
    server.on(api.plans.update, () => {
      sell(makePlan('regular', { price: 1099, version: 2 }))
      return { success: true, message: 'Payment info updated successfully' }
    })
    await page.press('Save', dialog)
    await page.see('Payment info updated successfully')
    await page.see('₹1,099', await page.find('region', 'Regular Payment Plan'))
    expect(server.calls(api.plans.update).at(-1)?.body).toEqual({
      id: idOf(101),
      version: 1,
      type: 'regular',
      month: 1,
      price: 1099,
      qrcodeUrl: regular.qrcodeUrl,
    })
  })

  test('asks for the password when the sign-in is old, over the form, and then saves', async () => {
    const { page } = openPlans(regular)
    const dialog = await edit(page)
    server.reject(api.plans.update, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Save', dialog)
    const confirm = await page.find('dialog', 'Confirm your password')
    server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
    server.on(api.plans.update, () => ({ success: true, message: 'Payment info updated successfully' }))
    await page.fill('Your password', 'Kesar-Chai-42', confirm)
    await page.press('Confirm', confirm)
    await page.see('Payment info updated successfully')
    await page.goneFrom('dialog', 'Edit Payment')
    expect(server.calls(api.passwords.confirm).map(({ body }) => body)).toEqual([{ password: 'Kesar-Chai-42' }])
  })

  test('is deleted only after a confirmation, and errors are shown [spec 2.36, 5.13, 8.9]', async () => {
    const { page, sell } = openPlans(regular, crypto)
    const section = await page.find('region', 'Crypto Payment Plan')
    await page.press('Delete', section)
    const question = await page.find('alertdialog', 'Delete plan')
    await page.see('Are you sure you want to delete this payment info?', question)
    await page.see(/^Crypto Payment Plan, \$/, question)
    await page.press('Cancel', question)
    await page.goneFrom('alertdialog')
    expect(server.calls(api.plans.remove)).toEqual([])
    server.disconnect(api.plans.remove)
    await page.press('Delete', section)
    await page.press('Delete', await page.find('alertdialog'))
    await page.see('Error deleting payment info')
    await page.goneFrom('alertdialog')
    server.on(api.plans.remove, ({ params }) => {
      sell(...[regular, crypto].filter(({ _id }) => _id !== params.id))
      return { success: true, message: 'Payment info deleted successfully' }
    })
    await page.press('Delete', section)
    await page.press('Delete', await page.find('alertdialog'))
    await page.see('Payment info deleted successfully')
    await page.see('No crypto plan is on sale.')
    await eventually(async () => expect((await page.find('button', 'Add New Payment')).hasAttribute('disabled')).toBe(false))
    expect(server.calls(api.plans.remove).at(-1)?.params).toEqual({ id: idOf(102) })
  })
})
