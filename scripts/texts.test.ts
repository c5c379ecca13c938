// All texts are listed by the names of their files, so that every code finds its sentence.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { english } from '#shared/text/en/index.ts'

const folder = join(import.meta.dirname, '../shared/text/en')
const files = readdirSync(folder).filter((file) => file !== 'index.ts' && !file.includes('.test.'))

test.each(files)('the texts of %s are listed under their name', (file) => {
  const name = file.replace('.ts', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const source = readFileSync(join(folder, file), 'utf8')
  const names = [...source.matchAll(/\btexts\(\s*'([^']+)'/g)].map(([, found]) => found ?? '')
  for (const found of names) {
    expect(Object.keys(english)).toContain(found)
    expect(file.startsWith('studies') ? found.startsWith('stud') : found === name).toBe(true)
  }
  // Mails are texts of the server, which takes the language as a parameter.
  expect(names.length > 0 || source.includes('Mail')).toBe(true)
})
