// All texts are listed by their names, so that every code finds its sentence.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { english } from '#shared/messages/english.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = globSync('shared/*/text/en*.ts', { cwd: root })
const namesOf = (file: string) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/\btexts\(\s*'([^']+)'/g)].map(([, name]) => name ?? '')

test.each(files)('the texts of %s are listed under their name', (file) => {
  expect(namesOf(file)).not.toEqual([])
  expect(Object.keys(english)).toEqual(expect.arrayContaining(namesOf(file)))
})

test('a listed name has texts in one file', () => {
  const found = files.flatMap((file) => [...new Set(namesOf(file))])
  expect(found.toSorted()).toEqual(Object.keys(english).toSorted())
})
