// Reads texts, errors and focus of elements in tests.
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

/** All texts that describe an element, for example its error and its hint. */
export function descriptionOf(element: Element): string {
  const ids = (element.getAttribute('aria-describedby') ?? '').split(' ')
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

/** Error of an invalid field, undefined for a valid one. */
export function issueOf(field: Element): string | undefined {
  if (field.getAttribute('aria-invalid') !== 'true') return undefined
  const id = (field.getAttribute('aria-describedby') ?? '').split(' ').find((one) => one.endsWith('-error'))
  return document.getElementById(id ?? '')?.textContent
}

/** Waits until the element is focused. */
export async function expectFocus(element: Element): Promise<void> {
  await eventually(() => expect(document.activeElement).toBe(element))
}

/** Texts of the elements, in order. */
export function textsOf(elements: Iterable<Element>): string[] {
  return [...elements].map((element) => element.textContent)
}
