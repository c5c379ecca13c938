// Page object for tests: waits for visible content, clicks and types.
import { within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { eventually } from './eventually.ts'

/** Exact text, or a pattern. */
type Words = string | RegExp

export interface Page {
  readonly user: UserEvent
  /** Waits until this text is visible, and returns its element. */
  readonly see: (text: Words, inside?: HTMLElement) => Promise<HTMLElement>
  /** Waits until this text is gone. */
  readonly seeNoMore: (text: Words, inside?: HTMLElement) => Promise<void>
  readonly has: (text: Words, inside?: HTMLElement) => boolean
  /** Waits for an element of this role and name. */
  readonly find: (role: string, name?: Words, inside?: HTMLElement) => Promise<HTMLElement>
  /** All elements of this role and name at this moment. */
  readonly all: (role: string, name?: Words, inside?: HTMLElement) => HTMLElement[]
  /** Waits until no element has this role and name. */
  readonly goneFrom: (role: string, name?: Words) => Promise<void>
  /** Clicks a button once it is present and not busy. */
  readonly press: (button: Words, inside?: HTMLElement) => Promise<void>
  /** Clicks a button that is busy and ignores it. */
  readonly pressBusy: (button: Words, inside?: HTMLElement) => Promise<void>
  /** Field with this label. */
  readonly field: (label: Words, inside?: HTMLElement) => Promise<HTMLInputElement>
  /** Replaces the value of the field with this label. */
  readonly fill: (label: Words, text: string, inside?: HTMLElement) => Promise<void>
  /** Path and query of the current address. */
  readonly address: () => string
}

export function createPage(user: UserEvent): Page {
  const look = (inside?: HTMLElement) => within(inside ?? document.body)
  const all = (role: string, name?: Words, inside?: HTMLElement) => look(inside).queryAllByRole(role, name === undefined ? {} : { name })
  const has = (text: Words, inside?: HTMLElement) => look(inside).queryAllByText(text).length > 0
  const find = (role: string, name?: Words, inside?: HTMLElement) =>
    eventually(() => {
      const [first] = all(role, name, inside)
      if (first === undefined) throw new Error(`There is no ${role} ${String(name ?? '')} in:\n${textOf(inside)}`)
      return first
    })
  const field = (label: Words, inside?: HTMLElement) =>
    eventually(() => {
      const [first] = look(inside).queryAllByLabelText<HTMLInputElement>(label, { selector: 'input,select' })
      if (first === undefined) throw new Error(`There is no field ${String(label)} in:\n${textOf(inside)}`)
      return first
    })
  return {
    user,
    all,
    has,
    find,
    field,
    see: (text, inside) =>
      eventually(() => {
        const first = look(inside).queryAllByText(text)[0]?.closest<HTMLElement>(':not(font)')
        if (first === undefined || first === null) throw new Error(`${String(text)} is not in:\n${textOf(inside)}`)
        return first
      }),
    seeNoMore: (text, inside) =>
      eventually(() => {
        if (has(text, inside)) throw new Error(`${String(text)} is still in:\n${textOf(inside)}`)
      }),
    goneFrom: (role, name) =>
      eventually(() => {
        if (all(role, name).length > 0) throw new Error(`The ${role} ${String(name ?? '')} is still there`)
      }),
    press: async (name, inside) => {
      const button = await find('button', name, inside)
      await eventually(() => {
        if (button.getAttribute('aria-disabled') === 'true') throw new Error(`The button ${String(name)} stays busy`)
      })
      await user.click(button)
    },
    pressBusy: async (name, inside) => user.click(await find('button', name, inside)),
    fill: async (label, text, inside) => {
      const input = await field(label, inside)
      await user.clear(input)
      if (text !== '') await user.paste(text)
    },
    address: () => window.location.pathname + window.location.search,
  }
}

function textOf(element: HTMLElement = document.body): string {
  return element.textContent
}
