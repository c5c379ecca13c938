// What a test reads of single elements.
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

/** All texts that describe an element, such as its error and its hint. */
export function descriptionOf(element: Element): string {
  const ids = (element.getAttribute('aria-describedby') ?? '').split(' ')
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

/** The error of an invalid field, undefined where it is valid. */
export function faultOf(field: Element): string | undefined {
  if (field.getAttribute('aria-invalid') !== 'true') return undefined
  const id = (field.getAttribute('aria-describedby') ?? '').split(' ').find((one) => one.endsWith('-error'))
  return document.getElementById(id ?? '')?.textContent
}

/** Waits until the element has the focus. */
export async function expectFocus(element: Element): Promise<void> {
  await eventually(() => expect(document.activeElement).toBe(element))
}

/** The texts of some elements, in their order. */
export function textsOf(elements: Iterable<Element>): string[] {
  return [...elements].map((element) => element.textContent)
}
