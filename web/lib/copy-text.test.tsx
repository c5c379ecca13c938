// Copying where the browser has no clipboard interface, as over plain http.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

let copied: string[] = []
beforeEach(() => {
  copied = []
  // user-event of an earlier file may have left its own.
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  Object.assign(document, {
    execCommand: (command: string) => {
      const field = document.activeElement
      if (command !== 'copy' || !(field instanceof HTMLTextAreaElement)) return false
      copied.push(field.value.slice(field.selectionStart, field.selectionEnd))
      return true
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand')
  Reflect.deleteProperty(navigator, 'clipboard')
  document.body.replaceChildren()
})

test('without a clipboard interface the text is copied by a selection, and the focus returns', async () => {
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  expect(await copyText('shop@okaxis')).toBe(true)
  expect(copied).toEqual(['shop@okaxis'])
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
})

test('inside a dialog the selection is made in it, where the focus may be', async () => {
  document.body.innerHTML = '<div role="dialog"><button>Copy</button></div>'
  document.querySelector('button')?.focus()
  const append = vi.spyOn(document.querySelector('[role=dialog]') ?? document.body, 'append')
  expect(await copyText('999')).toBe(true)
  expect(append).toHaveBeenCalledOnce()
})

test('a browser that denies both ways is reported', async () => {
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('denied')) }, configurable: true })
  Object.assign(document, { execCommand: () => false })
  expect(await copyText('999')).toBe(false)
})
