// A row of controls is one tab stop, with the arrow keys inside.
import { useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { renderBare } from '#web/testing/render.tsx'
import { useRovingFocus } from './use-roving-focus.ts'

function Row() {
  const row = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus(row)
  const [count, setCount] = useState(3)
  return (
    <>
      <button type="button" onClick={() => setCount(4)}>
        Before
      </button>
      <div ref={row} role="toolbar" {...roving}>
        {Array.from({ length: count }, (_, at) => (
          <a key={at} href={`/${at}`} aria-current={at === 1 ? 'page' : undefined}>
            Link {at}
          </a>
        ))}
        <button type="button" disabled>
          Never
        </button>
      </div>
      <button type="button">After</button>
    </>
  )
}

const focused = () => document.activeElement?.textContent

test('Tab goes to the current page and out again', async () => {
  const { user } = renderBare(<Row />)
  const stops: (string | null | undefined)[] = []
  for (let at = 0; at < 3; at += 1) {
    await user.tab()
    stops.push(focused())
  }
  expect(stops).toEqual(['Before', 'Link 1', 'After'])
})

test.each([
  ['{ArrowRight}', 'Link 2'],
  ['{ArrowLeft}', 'Link 0'],
  ['{ArrowLeft}{ArrowLeft}', 'Link 2'],
  ['{End}', 'Link 2'],
  ['{End}{ArrowRight}', 'Link 0'],
  ['{Home}', 'Link 0'],
  ['{Control>}{ArrowRight}{/Control}', 'Link 1'],
])('%s leads to %s', async (keys, expected) => {
  const { user } = renderBare(<Row />)
  await user.tab()
  await user.tab()
  await user.keyboard(keys)
  expect(focused()).toBe(expected)
})

test('a control that is added is no tab stop, and the row is entered where it was left', async () => {
  const { user, press } = renderBare(<Row />)
  await press('Before')
  await user.tab()
  await user.keyboard('{End}')
  expect(focused()).toBe('Link 3')
  await user.tab()
  expect(focused()).toBe('After')
  await user.tab({ shift: true })
  expect(focused()).toBe('Link 3')
})
