// Fails unless every sentence of docs/developing/spec-checklist.md has a test with its number in the title, as in `[spec 5.3, 8.1]`.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const sentences = new Map(
  [...read('docs/developing/spec-checklist.md').matchAll(/^\| (\d+\.\d+) \| (.+) \|$/gm)].map(([, number = '', words]) => [number, words]),
)
const tagged = new Set<string>()
const problems: string[] = []
for (const file of globSync(['{server,shared,web}/**/*.test.{ts,tsx}', 'e2e/**/*.e2e.ts'], { cwd: root })) {
  const numbers = [...read(file).matchAll(/\[spec ([\d., ]+)\]/g)].flatMap(([, list = '']) => list.split(', '))
  for (const number of numbers) {
    tagged.add(number)
    if (!sentences.has(number)) problems.push(`${file}: the specification has no sentence ${number}`)
  }
}
for (const [number, words] of sentences) if (!tagged.has(number)) problems.push(`no test has [spec ${number}]: ${words}`)
for (const problem of problems) console.error(problem)
if (sentences.size === 0 || problems.length > 0) process.exit(1)
console.log(`${sentences.size} sentences of the specification have a test`)
