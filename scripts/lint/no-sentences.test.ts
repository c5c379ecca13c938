// The lint rule against sentences in code, as the linter runs it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
let folder = ''

beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/no-sentences-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function lint(code: string): string {
  const file = join(folder, 'sample.tsx')
  writeFileSync(file, code)
  const config = join(folder, 'lint.json')
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [join(root, 'scripts/lint/no-sentences.mjs')],
      categories: { correctness: 'off' },
      rules: { 'tezi/no-sentences': 'error' },
    }),
  )
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', config, '--no-ignore', file], { encoding: 'utf8' })
  return status === 0 ? '' : stdout
}

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
