// Date field: typing as dd/mm/yyyy, its errors, and the calendar by pointer and keyboard.
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderUi } from '#web/testing/render.tsx'
import { expectFocus, issueOf, textsOf } from '#web/testing/see.ts'
import { DateField } from './date-field.tsx'

function open(initial = '', error?: string) {
  const onDay = vi.fn<(day: string) => void>()
  function Field() {
    const [day, setDay] = useState(initial)
    return (
      <DateField
        label="Start date"
        value={day}
        error={error}
        onDay={(next) => {
          onDay(next)
          setDay(next)
        }}
      />
    )
  }
  return { page: renderUi(<Field />), onDay }
}

test('is a text field, not the one of the browser, and shows a day as dd/mm/yyyy', async () => {
  const { page } = open('2026-01-05')
  const field = await page.field('Start date')
  expect([field.type, field.value, field.placeholder]).toEqual(['text', '05/01/2026', 'dd/mm/yyyy'])
})

test.each(['31/02/2026', '5/1', '2026-01-05', 'soon'])('%s is rejected when the field is left', async (typed) => {
  const { page, onDay } = open()
  const field = await page.field('Start date')
  await page.user.type(field, typed)
  expect(issueOf(field)).toBeUndefined()
  await page.user.tab()
  expect(issueOf(field)).toBe('Enter a date as dd/mm/yyyy')
  expect(onDay).not.toHaveBeenCalled()
})

test.each(['01/11/2026', '01-11-2026', '1/11/2026', '01.11.2026', '01 11 2026', '01112026'])(
  '%s typed key by key is the day, as the placeholder asks',
  async (keys) => {
    const { page, onDay } = open()
    const field = await page.field('Start date')
    await page.user.type(field, keys)
    await page.user.tab()
    expect(issueOf(field)).toBeUndefined()
    expect(onDay.mock.lastCall).toEqual(['2026-11-01'])
  },
)

test('shows the error of its form', async () => {
  const { page } = open('2026-01-05', 'The end date is before the start date')
  expect(issueOf(await page.field('Start date'))).toBe('The end date is before the start date')
})

test('typed digits get their slashes, and the complete day is reported once; emptied it reports none', async () => {
  const { page, onDay } = open()
  const field = await page.field('Start date')
  await page.user.type(field, '05012026')
  expect(field.value).toBe('05/01/2026')
  expect(onDay.mock.calls).toEqual([['2026-01-05']])
  await page.user.clear(field)
  expect(onDay.mock.calls.at(-1)).toEqual([''])
  await page.user.tab()
  expect(issueOf(field)).toBeUndefined()
})

test('the calendar is walked by keys; Enter chooses, Escape closes', async () => {
  const { page, onDay } = open('2026-01-31')
  const field = await page.field('Start date')
  await page.user.click(field)
  await page.user.keyboard('{ArrowDown}')
  await expectFocus(await page.find('button', 'Saturday, 31 January 2026'))
  await page.user.keyboard('{PageDown}')
  await expectFocus(await page.find('button', 'Saturday, 28 February 2026'))
  await page.user.keyboard('{ArrowRight}{ArrowDown}{ArrowLeft}{ArrowUp}{Home}')
  await expectFocus(await page.find('button', 'Sunday, 22 February 2026'))
  await page.user.keyboard('{End}{PageUp}')
  await expectFocus(await page.find('button', 'Wednesday, 28 January 2026'))
  await page.user.keyboard('{Escape}')
  await page.goneFrom('dialog')
  await expectFocus(field)
  expect(onDay).not.toHaveBeenCalled()
  await page.user.keyboard('{ArrowDown}{ArrowRight}{ArrowLeft}{ArrowLeft}{Enter}')
  await page.goneFrom('dialog')
  await expectFocus(field)
  expect([field.value, onDay.mock.calls]).toEqual(['30/01/2026', [['2026-01-30']]])
})

test('the calendar shows a month and its neighbours by pointer, and closes when it is left', async () => {
  const { page, onDay } = open('2026-11-20')
  await page.press('Choose start date')
  const table = await page.find('table', 'Calendar, start date')
  expect(textsOf(page.all('columnheader', undefined, table))).toEqual(['S', 'M', 'T', 'W', 'T', 'F', 'S'])
  expect(page.all('row', undefined, table)).toHaveLength(6)
  expect(textsOf(page.all('button', undefined, table).filter((button) => button.getAttribute('aria-pressed') === 'true'))).toEqual(['20'])
  await page.press('Next month')
  await page.see('December 2026')
  await page.press('Previous month')
  await page.press('Previous month')
  await page.see('October 2026')
  await page.user.click(await page.find('button', 'Thursday, 1 October 2026'))
  expect(onDay.mock.calls).toEqual([['2026-10-01']])
  await page.press('Choose start date')
  await page.find('dialog', 'Choose start date')
  await page.user.click(document.body)
  await page.goneFrom('dialog')
})
