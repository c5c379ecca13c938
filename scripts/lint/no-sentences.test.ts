// The lint rule against sentences in code, as the linter runs it.
import { expect, test } from 'vitest'
import { lintSample } from './lint-sample.ts'

const lint = (code: string) => lintSample('no-sentences', code)

test.each([
  ['text of an element', '<p>Hello there</p>'],
  ['a string in an element', "<p>{'Hello'}</p>"],
  ['a choice of strings', "<p>{Math.random() > 1 ? 'Open' : other}</p>"],
  ['a template', '<p>{`Hello ${other}`}</p>'],
  ['a label', '<button aria-label="Close" />'],
  ['a placeholder', "<input placeholder={'Your name'} />"],
  ['a toast', "toast({ kind: 'ok', text: 'Saved' })"],
  ['the title of a tab', "useTitle('Account')"],
  ['the title of the page', 'document.title = `${other}: live charts`'],
])('%s is reported', (_, expression) => {
  expect(lint(`export const sample = ${expression}\n`)).toContain('is a text for users')
})

test('names of texts, classes, numbers and signs are not', () => {
  const code = '<p className="text-13" id="some-id">{text.hello} · {5} ₹ <b aria-label={text.close}>×</b></p>'
  expect(lint(`export const sample = ${code}\n`)).toBe('')
})
