// Checks the documentation: the security checklist names tests that exist, links resolve, and the index lists every decision.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** The cells of each table row of a page, without header and delimiter; `\|` inside a cell is a literal bar. */
function rowsOf(page: string): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')))
    .filter((cells) => !/^-+:?$/.test(cells[1] ?? ''))
}

const testFile = /\.(?:test|e2e)\.tsx?$/
const testCall = /^\s*(?:test|it)(?:\.each|\.runIf\(\w+\))?\(/m
const testFiles = globSync('{server,shared,web,scripts}/**/*.test.{ts,tsx}', { cwd: root })

describe('the security checklist', () => {
  const rows = rowsOf(read('docs/developing/security-checklist.md'))
    .slice(1)
    .map(([, name = '', what = '', shownBy = '']) => ({
      name,
      what,
      files: [...shownBy.matchAll(/`([^`]+\.tsx?)`/g)].map(([, file = '']) => file),
    }))

  /** The path itself, or every test whose path ends with it. */
  const filesOf = (name: string): readonly string[] =>
    existsSync(path.join(root, name)) ? [name] : testFiles.filter((file) => `/${file}`.endsWith(`/${name}`))

  test('has rows, and every row has a sentence and a test', () => {
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter(({ name, what, files }) => name === '' || what === '' || files.length === 0)).toEqual([])
  })

  test.each([...new Set(rows.flatMap(({ files }) => files))])('%s is one file with something to run', (name) => {
    const files = filesOf(name)
    expect(files).toHaveLength(1)
    expect(read(files[0] ?? '')).toMatch(testFile.test(name) ? testCall : /\S/)
  })
})

describe('the ASVS table', () => {
  const rows = rowsOf(read('docs/security.md')).filter(([, id = '']) => /^\d+\.\d+\.\d+/.test(id))

  test('has all chapters, and a state and a reason in every row', () => {
    expect([...new Set(rows.map(([, id = '']) => Number(id.split('.')[0])))]).toEqual(Array.from({ length: 17 }, (_, index) => index + 1))
    expect(rows.filter(([, , what, state = '', why]) => !what || !/^(Met|–|\*\*Open\*\*|Operator)$/.test(state) || !why)).toEqual([])
  })

  test('names files that exist', () => {
    const files = rows.flatMap(([, , , , why = '']) => [...why.matchAll(/`([^`]+\/[^`]+\.tsx?)`/g)].map(([, file = '']) => file))
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('names its tests by file, and each of them has something to run', () => {
    const unnamed = rows.filter(([, , , , why = '']) => /\btests?\b/i.test(why.replaceAll(/`[^`]*`/g, '')))
    expect(unnamed.map(([, id]) => id)).toEqual([])
    const named = rows.flatMap(([, , , , why = '']) => [...why.matchAll(/`([^`]+\.(?:test|e2e)\.tsx?)`/g)].map(([, file = '']) => file))
    expect([...new Set(named)].filter((file) => !testCall.test(read(file)))).toEqual([])
  })
})

/** Documents about the past, or about files that a reader creates. */
const otherFiles = new Set(['CHANGELOG.md', 'CONTRIBUTING.md'])
const sourceFolders = 'server|shared|web|scripts|e2e|lab|testing|docs'

describe('Markdown', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root })

  test.each(pages)('%s has no dead relative link', (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) => target)
    expect(targets.filter((target) => !existsSync(path.join(root, path.dirname(page), target)))).toEqual([])
  })

  test.each(pages.filter((page) => !otherFiles.has(page) && !page.startsWith('docs/decisions/')))('%s names files that exist', (page) => {
    const named = [...read(page).matchAll(new RegExp(String.raw`\`((?:${sourceFolders})/[\w./-]+\.(?:tsx?|mjs|cjs|sql|json|md))\``, 'g'))]
    const files = named.map(([, file = '']) => file).filter((file) => !file.includes('NAME'))
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test.each(pages)('%s has no line of prose over 120 characters', (page) => {
    const long = read(page)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .split('\n')
      .filter((line) => !line.startsWith('|') && line.length > 120)
    expect(long).toEqual([])
  })

  test('the index lists every decision', () => {
    const index = read('docs/decisions/README.md')
    const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((file) => path.basename(file))
    expect(decisions.length).toBeGreaterThan(15)
    expect(decisions.filter((file) => !index.includes(`](${file})`))).toEqual([])
  })
})
