// Admin page Instruments: the list, and a change that must pass the preview before it is saved.
import { fireEvent } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { AdminInstrument } from '#shared/instruments/admin-instrument-contract.ts'
import { instruments, type Instrument } from '#shared/instruments/instruments.ts'
import { defaultSubstitutesOf } from '#shared/chart/default-substitutes.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'

function rowOf({ slug, label, name, symbol, widget }: Instrument): AdminInstrument {
  const defaults = { symbol, widget, substitutes: [...defaultSubstitutesOf(slug)] }
  const facts = { slug, label, name, native: 'none', source: null, condition: null } as const
  return { ...facts, ...defaults, defaults, firstChart: null, isHidden: false, version: 0 }
}

function openInstruments(): Page {
  answerAdminPages()
  server.on(api.adminInstruments.list, () => ({
    success: true,
    data: { nowMs: Date.parse('2026-11-20T06:00:00Z'), firstChart: 'tradingview', instruments: instruments.map((one) => rowOf(one)) },
  }))
  server.on(api.adminInstruments.save, () => ({ success: true, message: 'Instrument saved' }))
  return openPage('/admin/instruments', { as: 'admin' })
}

async function openSensex(): Promise<Page> {
  const page = openInstruments()
  await page.press('Edit SENSEX')
  await page.find('dialog', 'Edit SENSEX')
  return page
}

const isSaveDisabled = async (page: Page) => (await page.find('button', 'Save')).hasAttribute('disabled')

/** Posts a message as the provider's frame does. */
async function frameSays(name: string): Promise<void> {
  const frame = await eventually(() => {
    const found = document.querySelector<HTMLIFrameElement>('[data-testid=chart-frame]')
    if (found === null) throw new Error('no frame yet')
    return found
  })
  fireEvent(
    window,
    new MessageEvent('message', { origin: 'https://www.tradingview-widget.com', source: frame.contentWindow, data: { name } }),
  )
}

test('lists every instrument with its symbol, chart, label and timeframes', async () => {
  const page = openInstruments()
  await page.find('button', 'Edit EUR/USD')
  expect(page.all('row')).toHaveLength(29)
  const cells = (label: string) =>
    page
      .all('row')
      .find((row) => row.textContent.startsWith(label))
      ?.textContent.replaceAll(/\s+/g, ' ')
  expect(cells('EUR/USD')).toContain('TradingView: FX:EURUSD')
  expect(cells('EUR/USD')).toContain('In the browser, not known here')
  expect(page.all('row').some((row) => row.textContent.includes('LIVE'))).toBe(false)
  expect(cells('SENSEX')).toContain('end of day')
  expect(cells('SENSEX')).toContain('1D')
  expect(cells('BANKNIFTY')).toContain('PROXY: Nippon India Nifty Bank BeES ETF')
})

test('a changed symbol is saved once the preview has loaded it', async () => {
  const page = await openSensex()
  expect(await isSaveDisabled(page)).toBe(false)
  await page.fill('TradingView symbol', 'bse:sensex50')
  await page.see('Changed symbols must load in the preview before you can save.')
  expect(await isSaveDisabled(page)).toBe(true)
  stopClock()
  await page.press('Check symbols')
  await frameSays('tv-widget-ready')
  await passTime(2_000)
  await page.see('ready')
  await eventually(async () => expect(await isSaveDisabled(page)).toBe(false))
  await page.press('Save')
  await eventually(() => expect(server.calls(api.adminInstruments.save)).toHaveLength(1))
  expect(server.calls(api.adminInstruments.save)).toMatchObject([
    { params: { slug: 'sensex' }, body: { symbol: 'BSE:SENSEX50', widget: 'end-of-day', version: 0, isChecked: true } },
  ])
})

test('a symbol without data is saved only when the admin confirms that it is unchecked', async () => {
  const page = await openSensex()
  await page.fill('TradingView symbol', 'BSE:NOSUCH')
  await page.press('Check symbols')
  await frameSays('tv-widget-no-data')
  await page.see('no data')
  expect(await isSaveDisabled(page)).toBe(true)
  await page.user.click(await page.field('Save unchecked'))
  await eventually(async () => expect(await isSaveDisabled(page)).toBe(false))
  await page.press('Save')
  await eventually(() =>
    expect(server.calls(api.adminInstruments.save)).toMatchObject([{ body: { symbol: 'BSE:NOSUCH', isChecked: false } }]),
  )
})

test('engine and visibility need no preview, and a server error is shown at its field', async () => {
  const page = await openSensex()
  server.reject(api.adminInstruments.save, new AppError('invalid', anySentence('No'), { fields: { symbol: 'instruments.symbolInvalid' } }))
  await page.user.click(await page.field('Visible in menu and search'))
  await page.user.selectOptions(await page.field('Chart that comes first'), 'tezi')
  await page.press('Save')
  await page.see('Enter a TradingView symbol such as BSE:SENSEX.')
  expect(document.querySelectorAll('[role=dialog], [role=alertdialog]')).toHaveLength(1)
  expect(server.calls(api.adminInstruments.save)).toMatchObject([{ body: { isHidden: true, firstChart: 'tezi', isChecked: true } }])
})

test('the free chart cannot be hidden, and a duplicate symbol is reported before anything is sent', async () => {
  const page = openInstruments()
  await page.press('Edit NIFTY')
  expect((await page.field('Visible in menu and search')).hasAttribute('disabled')).toBe(true)
  await page.fill('Symbol of substitute 1', 'NSE:NIFTY')
  await page.user.click(await page.field('Save unchecked'))
  await page.press('Save')
  await page.see('Each symbol can be used once.')
  expect(server.calls(api.adminInstruments.save)).toEqual([])
})
