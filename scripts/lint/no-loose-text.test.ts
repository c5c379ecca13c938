// The lint rule for texts that a translated page would crash on, as the linter runs it.
import { expect, test } from 'vitest'
import { lintSample } from './lint-sample.ts'

const lint = (code: string) => lintSample('no-loose-text', code)

test.each([
  ['a text after a conditional element', '<p>{busy && <b />}{text.save}</p>'],
  ['a text before one', '<p>{text.save} {busy && <b />}</p>'],
  ['a text that comes and goes', '<p><b />{busy && text.save}</p>'],
  ['a text or an element', '<p><b />{busy ? text.save : <i />}</p>'],
  ['a template', '<p>{busy && <b />}{`Hello ${name}`}</p>'],
  ['a number', '<p>{busy && <b />}{5}</p>'],
  ['a text beside a list', '<p>{text.save}{names.map((name) => <b key={name} />)}</p>'],
  ['a text inside a fragment', '<p>{busy && <b />}<>{text.save}</></p>'],
  ['a text in a fragment with what comes and goes', '<>{busy && <b />}{text.save}</>'],
  ['a text in an element that becomes another one of its kind', '<div>{busy ? <p><b />{text.save}</p> : <p>x</p>}</div>'],
])('%s is reported', (_, expression) => {
  expect(lint(`export const sample = ${expression}\n`)).toContain('needs an element of its own')
})

test.each([
  ['a component that returns a text', 'if (busy) return null\n return textOf(busy)'],
  ['a component that returns a text in a fragment', 'if (busy) return <b />\n return <>{textOf(busy)}</>'],
  ['elements of one kind that a component returns', 'if (busy) return <p>{text}<b /></p>\n return <p />'],
])('%s is reported', (_, body) => {
  expect(lint(`export function Sample({ busy, text }: Props) {\n ${body}\n}\n`)).toContain('needs an element of its own')
})

test.each([
  ['a text in an element of its own', '<p>{busy && <b />}<span>{text.save}</span></p>'],
  ['a text alone', '<p>{busy ? text.save : text.edit}</p>'],
  ['a text beside an element that stays', '<p><b /> {text.save}</p>'],
  ['blanks', "<p>{busy && <>{' '}<b /></>}<i /></p>"],
])('%s is not', (_, expression) => {
  expect(lint(`export const sample = ${expression}\n`)).toBe('')
})

test('names of elements are no texts', () => {
  const code = `
    interface Props { readonly busy: boolean; readonly badge: ReactNode; readonly cardOf: (at: number) => ReactNode }
    export function Sample({ busy, badge, cardOf }: Props) {
      const close = <b />
      if (busy) return close
      return <p>{busy && <i />}{badge}{close}{cardOf(1)}{createPortal(close, document.body)}</p>
    }`
  expect(lint(code)).toBe('')
})
