// What was typed stays when the page is drawn again.
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderBare } from '#web/testing/render.tsx'
import { eventually } from '#web/testing/eventually.ts'
import { keepFields } from './keep-fields.ts'

const heard: string[] = []

function Form() {
  const [values, setValues] = useState({ email: '', name: '' })
  const [isAdult, setIsAdult] = useState(false)
  const bind = (name: keyof typeof values) => ({
    name,
    'aria-label': name,
    value: values[name],
    onChange: ({ target }: { readonly target: HTMLInputElement }) => setValues((before) => ({ ...before, [name]: target.value })),
  })
  heard.push(`${values.email}|${values.name}|${String(isAdult)}`)
  return (
    <form>
      <input type="email" {...bind('email')} />
      <input {...bind('name')} />
      <input type="checkbox" name="isAdult" aria-label="isAdult" checked={isAdult} onChange={({ target }) => setIsAdult(target.checked)} />
    </form>
  )
}

/** Fields that no code knows yet. */
function prerender(): { readonly old: HTMLElement; readonly restore: () => void; readonly type: (name: string, text: string) => void } {
  const old = document.createElement('div')
  old.innerHTML = '<input type="email" name="email"><input name="name"><input type="checkbox" name="isAdult">'
  document.body.append(old)
  const restore = keepFields(document.body)
  const type = (name: string, text: string) => {
    const field = old.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (field !== null) field.value = text
    field?.focus()
  }
  return { old, restore, type }
}

test('text, tick, focus and selection move to the new fields, which tell it to their form', async () => {
  const { old, restore, type } = prerender()
  type('email', 'asha@')
  type('name', 'Asha Rao')
  const name = old.querySelector<HTMLInputElement>('[name=name]')
  name?.setSelectionRange(2, 4)
  old.querySelector<HTMLInputElement>('[name=isAdult]')?.click()
  const page = renderBare(<Form />)
  old.remove()
  restore()
  await eventually(() => expect(heard.at(-1)).toBe('asha@|Asha Rao|true'))
  const focused = document.activeElement as HTMLInputElement
  expect(focused).toBe(await page.field('name'))
  expect([focused.selectionStart, focused.selectionEnd]).toEqual([2, 4])
})

test('fields that have stayed are left alone', async () => {
  const { old, restore, type } = prerender()
  type('email', 'asha@')
  renderBare(<Form />)
  restore()
  expect(heard.at(-1)).toBe('||false')
  expect(document.activeElement).toBe(old.querySelector('[name=email]'))
  old.remove()
})
