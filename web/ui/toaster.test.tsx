// Toasts: kinds, time, buttons, and the way back.
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { createPage } from '#web/testing/page.ts'
import { renderUi } from '#web/testing/render.tsx'
import { toast } from '#web/lib/toast.ts'
import { PlainToast } from './toaster.tsx'

describe('toast', () => {
  test.each([
    ['ok', 'Done'],
    ['info', 'Note'],
    ['warn', 'Warning'],
    ['danger', 'Error'],
  ] as const)('of kind %s is named %s', async (kind, name) => {
    const page = renderUi(<p>A page</p>)
    toast({ kind, text: 'Something to read' })
    expect((await page.find('dialog', name)).textContent).toContain('Something to read')
  })

  test('disappears after 5,000 ms', async () => {
    const page = renderUi(<p>A page</p>)
    stopClock()
    toast({ kind: 'info', text: 'Something to read' })
    const message = (await page.see('Something to read')).closest('[role=dialog]')
    await passTime(4800)
    // When the next one is drawn, this one would have been removed as well.
    toast({ kind: 'info', text: 'The next message' })
    await page.see('The next message')
    expect([message?.isConnected, message?.hasAttribute('data-ending-style')]).toEqual([true, false])
    await passTime(200)
    await page.seeNoMore('Something to read')
    expect(page.has('The next message')).toBe(true)
  })

  test('is closed by its button', async () => {
    const page = renderUi(<p>A page</p>)
    toast({ kind: 'info', text: 'First' })
    toast({ kind: 'info', text: 'Second' })
    const second = (await page.see('Second')).closest<HTMLElement>('[role=dialog]') ?? document.body
    // The buttons of stacked toasts are only available on hover.
    await page.user.hover(second)
    await page.press('Close message', second)
    await page.seeNoMore('Second')
    await page.see('First')
  })

  test('with a way back stays usable while more messages arrive than are shown', async () => {
    const page = renderUi(<p>A page</p>)
    const run = vi.fn<() => void>()
    toast({ kind: 'ok', text: 'Suspended', action: { label: 'Undo', forMs: 10_000, run } })
    toast({ kind: 'info', text: 'Without one' })
    const oldest = (await page.see('Suspended')).closest<HTMLElement>('[role=dialog]') ?? document.body
    for (let count = 0; count < 5; count += 1) toast({ kind: 'info', text: `Message ${count}` })
    await page.see('Message 4')
    const plain = (await page.see('Without one')).closest<HTMLElement>('[role=dialog]') ?? document.body
    expect([oldest, plain].map((message) => [message.hasAttribute('inert'), message.className.includes('data-limited:hidden')])).toEqual([
      [false, false],
      [true, true],
    ])
    await page.press('Undo', oldest)
    expect(run).toHaveBeenCalledOnce()
  })

  test('sent before the page has loaded is shown once it has', async () => {
    toast({ kind: 'info', text: 'Early' })
    const page = renderUi(<p>A page</p>)
    await page.see('Early')
  })
})

test('where the stack cannot be loaded, the newest message is shown with its button, and goes', async () => {
  render(<PlainToast />)
  const page = createPage(userEvent.setup({ delay: null }))
  stopClock()
  const run = vi.fn<() => void>()
  toast({ kind: 'info', text: 'First' })
  toast({ kind: 'ok', title: 'Ravi Iyer', text: 'Suspended', action: { label: 'Undo', forMs: 20_000, run } })
  await page.see('Ravi Iyer')
  await page.see('Suspended')
  expect(page.has('First')).toBe(false)
  await page.press('Undo')
  expect(run).toHaveBeenCalledTimes(1)
  await passTime(20_000)
  await page.seeNoMore('Suspended')
})
