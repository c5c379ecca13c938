// UI kit: dialogs, confirmations, tables, pagination, fields and buttons.
import { describe, expect, test } from 'vitest'
import { useState } from 'react'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import { renderUi } from '#web/testing/render.tsx'
import { descriptionOf, expectFocus, issueOf, textsOf } from '#web/testing/see.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { DataColumn } from './data-column.ts'
import { DataTable } from './data-table.tsx'
import { DialogForm, FormDialog } from './dialog-form.tsx'
import { Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'
import { NestedDialogContext } from './nested-dialog-context.ts'
import { Pagination } from './pagination.tsx'
import { PasswordField } from './password-field.tsx'
import { SearchField } from './search-field.tsx'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'
import { Tooltip } from './tooltip.tsx'

describe('dialog', () => {
  function Example() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <Button onClick={() => setIsOpen(true)}>Open</Button>
        <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="A dialog" description="What it is about">
          <TextField label="Name" />
        </Dialog>
      </>
    )
  }

  test.each([
    ['Escape', (page: ReturnType<typeof renderUi>) => page.user.keyboard('{Escape}')],
    ['its button', (page: ReturnType<typeof renderUi>) => page.press('Close')],
  ])('closes by %s and restores the focus', async (_, close) => {
    const page = renderUi(<Example />)
    await page.press('Open')
    const dialog = await page.find('dialog', 'A dialog')
    expect(descriptionOf(dialog)).toBe('What it is about')
    await eventually(() => expect(dialog.contains(document.activeElement)).toBe(true))
    await close(page)
    await page.goneFrom('dialog')
    await expectFocus(await page.find('button', 'Open'))
  })

  test('with a form focuses its first field, and sends once while busy', async () => {
    const sent: string[] = []
    function Form() {
      const [isBusy, setIsBusy] = useState(false)
      return (
        <FormDialog isOpen onClose={() => sent.push('closed')} title="A form">
          {(field) => (
            <DialogForm
              submitLabel="Save"
              busyText="Saving..."
              isBusy={isBusy}
              onCancel={() => sent.push('cancelled')}
              onSubmit={() => {
                sent.push('sent')
                setIsBusy(true)
              }}
            >
              <TextField label="Other" />
              <TextField ref={field} label="First" />
            </DialogForm>
          )}
        </FormDialog>
      )
    }
    const page = renderUi(<Form />)
    const dialog = await page.find('dialog', 'A form')
    await expectFocus(await page.field('First'))
    await page.user.keyboard('{Enter}')
    await page.pressBusy('Saving...', dialog)
    await page.press('Cancel', dialog)
    expect(sent).toEqual(['sent', 'cancelled'])
  })

  const ignore = () => {}
  test.each([
    [
      'dialog',
      () => (
        <Dialog isOpen onClose={ignore} title="Outer">
          Content
        </Dialog>
      ),
    ],
    ['alertdialog', () => <ConfirmDialog isOpen title="Outer" question="Sure?" confirmLabel="Yes" onConfirm={ignore} onClose={ignore} />],
    [
      'dialog',
      () => (
        <Drawer isOpen onClose={ignore} title="Outer">
          Content
        </Drawer>
      ),
    ],
  ] as const)('of role %s contains what its screen nests', async (role, renderOuter) => {
    const page = renderUi(<NestedDialogContext value={<p>Nested</p>}>{renderOuter()}</NestedDialogContext>)
    await page.see('Nested', await page.find(role, 'Outer'))
  })
})

describe('confirm dialog', () => {
  test('focuses Cancel first, closes by Escape, and confirms once', async () => {
    const done: string[] = []
    function Example() {
      const [isOpen, setIsOpen] = useState(true)
      const [isBusy, setIsBusy] = useState(false)
      return (
        <>
          <Button onClick={() => setIsOpen(true)}>Open</Button>
          <ConfirmDialog
            isOpen={isOpen}
            title="Delete"
            question="Are you sure?"
            confirmLabel="Yes, delete"
            isBusy={isBusy}
            onConfirm={() => {
              done.push('confirmed')
              setIsBusy(true)
            }}
            onClose={() => setIsOpen(false)}
          />
        </>
      )
    }
    const page = renderUi(<Example />)
    const question = await page.find('alertdialog', 'Delete')
    expect(descriptionOf(question)).toBe('Are you sure?')
    await expectFocus(await page.find('button', 'Cancel'))
    await page.user.keyboard('{Escape}')
    await page.goneFrom('alertdialog')
    await page.press('Open')
    const confirm = await page.find('button', 'Yes, delete')
    await page.user.click(confirm)
    await eventually(() => expect(confirm.getAttribute('aria-disabled')).toBe('true'))
    await page.user.click(confirm)
    expect(done).toEqual(['confirmed'])
  })
})

describe('table', () => {
  interface Row {
    readonly id: string
    readonly name: string
    readonly price: number
  }
  const columns: readonly DataColumn<Row>[] = [
    { id: 'number', head: 'No', cell: (_, index) => index + 1, card: 'title' },
    { id: 'name', head: 'Name', cell: ({ name }) => name, sorted: 'ascending' },
    { id: 'price', head: 'Price', cell: ({ price }) => price, card: 'actions' },
  ]
  const table = (rows: readonly Row[] | undefined, isStale = false) => (
    <DataTable label="Prices" columns={columns} rows={rows} rowKey={({ id }) => id} empty="There are none." isStale={isStale} />
  )
  const rows = [
    { id: 'a', name: 'NIFTY', price: 1 },
    { id: 'b', name: 'SENSEX', price: 2 },
  ]

  test('shows loading, then empty or data', async () => {
    const page = renderUi(table(undefined))
    await page.find('status', 'Loading')
    expect(page.all('table')).toEqual([])
  })

  test('loads as cards of the same lines on a phone', async () => {
    setViewport('phone')
    const page = renderUi(table(undefined))
    await page.find('status', 'Loading')
    expect(page.all('listitem')).toEqual([])
    const skeletons = [...document.querySelectorAll('dl')].map((lines) => lines.textContent)
    expect(skeletons).toEqual(Array.from({ length: 5 }, () => 'Name'))
  })

  test('shows the empty state', async () => {
    const page = renderUi(table([]))
    await page.see('There are none.')
    expect(page.all('table')).toEqual([])
  })

  test('has headers, rows and an order, and can be scrolled by keyboard', async () => {
    const page = renderUi(table(rows, true))
    const element = await page.find('table', 'Prices')
    expect(textsOf(page.all('columnheader'))).toEqual(['No', 'Name', 'Price'])
    expect(page.all('columnheader').map((head) => head.getAttribute('aria-sort'))).toEqual([null, 'ascending', null])
    expect(textsOf(page.all('cell'))).toEqual(['1', 'NIFTY', '1', '2', 'SENSEX', '2'])
    expect(element.getAttribute('aria-busy')).toBe('true')
    expect((await page.find('region', 'Prices')).tabIndex).toBe(0)
  })

  test('is a list of cards on a phone', async () => {
    setViewport('phone')
    const page = renderUi(table(rows))
    await page.find('list', 'Prices')
    expect(textsOf(page.all('listitem'))).toEqual(['1NameNIFTY1', '2NameSENSEX2'])
    expect(page.all('table')).toEqual([])
  })
})

describe('pagination', () => {
  test.each([
    [1, 1, true, true],
    [1, 20, true, false],
    [10, 20, false, false],
    [20, 20, false, true],
  ])('on page %d of %d links to other pages only if there are any', async (current, count, isFirst, isLast) => {
    const asked: number[] = []
    const page = renderUi(<Pagination page={current} pageCount={count} onPage={(next) => asked.push(next)} />)
    const [previous, next] = [await page.find('button', 'Previous'), await page.find('button', 'Next')]
    expect([previous, next].map((button) => button.getAttribute('aria-disabled'))).toEqual([String(isFirst), String(isLast)])
    await page.user.click(previous)
    await page.user.click(next)
    await page.press(`Page ${count}`)
    expect(asked).toEqual([...(isFirst ? [] : [current - 1]), ...(isLast ? [] : [current + 1]), count])
    expect(
      page
        .all('button', /^Page /)
        .filter((one) => one.getAttribute('aria-current') === 'page')
        .map((one) => one.textContent),
    ).toEqual([String(current)])
  })
})

describe('field', () => {
  test('is described by its error and its hint', async () => {
    const page = renderUi(<TextField label="Name" error="Enter a name." hint="As on your bank account" />)
    const field = await page.field('Name')
    expect(issueOf(field)).toBe('Enter a name.')
    expect(descriptionOf(field)).toBe('Enter a name. As on your bank account')
  })

  test('without an error is valid', async () => {
    const page = renderUi(<TextField label="Name" />)
    expect([issueOf(await page.field('Name')), (await page.field('Name')).getAttribute('aria-invalid')]).toEqual([undefined, 'false'])
  })

  test.each([
    [false, 'password', 'Show your password', 'text'],
    [true, 'text', 'Hide your password', 'password'],
  ])('for a password, shown at first: %s', async (isShownAtFirst, type, button, other) => {
    const page = renderUi(<PasswordField label="Your password" isShownAtFirst={isShownAtFirst} />)
    const field = await page.field('Your password')
    expect(field.type).toBe(type)
    await page.press(button)
    expect(field.type).toBe(other)
  })

  test('for a choice has its options and its error', async () => {
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ]
    const page = renderUi(<SelectField label="Type" options={options} error="Choose another." defaultValue="b" />)
    const field = await page.field('Type')
    expect([field.value, issueOf(field)]).toEqual(['b', 'Choose another.'])
    expect(textsOf(page.all('option'))).toEqual(['First', 'Second'])
  })

  test('for a search is debounced by 300 ms, and follows outside changes', async () => {
    const found: string[] = []
    function Example() {
      const [value, setValue] = useState('')
      return (
        <>
          <SearchField label="Search" placeholder="Anything" value={value} onSearch={(text) => (found.push(text), setValue(text))} />
          <Button onClick={() => setValue('from outside')}>Back</Button>
        </>
      )
    }
    const page = renderUi(<Example />)
    const field = (await page.find('searchbox', 'Search')) as HTMLInputElement
    stopClock()
    await page.user.type(field, ' nifty ')
    await passTime(250)
    expect(found).toEqual([])
    await passTime(50)
    expect(found).toEqual(['nifty'])
    await page.press('Back')
    await eventually(() => expect(field.value).toBe('from outside'))
    await passTime(300)
    expect(found).toEqual(['nifty'])
  })
})

describe('button', () => {
  test('that is busy keeps the focus, announces it, and ignores clicks', async () => {
    let presses = 0
    const page = renderUi(
      <Button isBusy busyText="Saving..." onClick={() => (presses += 1)}>
        Save
      </Button>,
    )
    const button = await page.find('button', 'Saving...')
    await page.user.click(button)
    expect([presses, document.activeElement, button.getAttribute('aria-disabled')]).toEqual([0, button, 'true'])
  })

  test('with a tooltip is described by it', async () => {
    const page = renderUi(
      <Tooltip text="What it does">
        <button type="button">Act</button>
      </Tooltip>,
    )
    expect(descriptionOf(await page.find('button', 'Act'))).toBe('What it does')
  })
})
