// Checks what the pages for operators tell them to type: commands, files, units, settings and headings exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { unknownVariables } from '#server/config/effective-settings.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const pages = globSync(['docs/operating/*.md', 'README.md', 'SECURITY.md'], { cwd: root })

/** Fenced blocks and inline code, where commands are. */
function codeOf(text: string): string {
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block)
  const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, piece = '']) => piece)
  return [...blocks, ...inline].join('\n')
}

/** Every first group of a pattern, once. */
const all = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]

/** The heading's anchor, as code hosts make it. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
const anchorsOf = (file: string) => all(read(file).replaceAll(/^```[\s\S]*?^```/gm, ''), /^#+ (.+)$/gm).map(anchorOf)

const operatorCommands = all(read('scripts/tezi.ts'), /^ {2}'?([a-z]+[a-z -]*)'?: async/gm)
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }

describe.each(pages)('%s', (page) => {
  const code = codeOf(read(page))

  test('names operator commands that exist', () => {
    const used = all(code, /(?:npx tezi|^tezi|scripts\/tezi\.ts) ([a-z-]+(?: [a-z-]+)?)/gm)
    const isKnown = (words: string) => operatorCommands.some((command) => words === command || words.startsWith(`${command} `))
    expect(used.filter((words) => !isKnown(words))).toEqual([])
  })

  test('names npm scripts and programs that exist', () => {
    const names = [...all(code, /npm run (?:-s )?([a-z][\w:-]*)/g), ...all(code, /\bnpm (start|test)\b/g)]
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
    const programs = all(code, /\bnode ((?:server|scripts|lab|deploy)\/[\w./-]+)/g)
    expect(programs.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('names files of deploy/ and units that exist', () => {
    const files = all(code, /(deploy\/[\w./@-]*\w)/g)
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    const units = all(code, /systemctl [^\n`]*?\b(tezi[\w@-]*)/g).map((unit) => unit.replace(/@.+$/, '@'))
    expect(units.filter((unit) => !existsSync(path.join(root, 'deploy/systemd', `${unit}.service`)))).toEqual([])
  })

  test('names settings that exist', () => {
    const assigned = all(code, /\b([A-Z][A-Z\d]*_[A-Z\d_]+)\b/g)
    expect(unknownVariables(assigned).filter((line) => !foreign.test(line))).toEqual([])
  })

  test('links to headings that exist', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)]
    const dead = links.filter(([, file = '', anchor = '']) => {
      const target = file === '' ? page : path.join(path.dirname(page), file)
      return existsSync(path.join(root, target)) && !anchorsOf(target).includes(anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  })
})

/** Variables of the examples that are not Tezi's: of the Compose files, and the former name in a comparison. */
const foreign = /^(DATABASE_PASSWORD|POSTGRES_PASSWORD|VALKEY_PASSWORD|SITE_HOST|ADMIN_PASSWRD|SMTP_HOST) /

test('every command of the usage is on the page of operator commands', () => {
  expect(operatorCommands.length).toBeGreaterThan(5)
  const page = read('docs/operating/running.md')
  expect(operatorCommands.filter((command) => !page.includes(`npx tezi ${command}`))).toEqual([])
})

test('doctor sends operators to pages and headings that exist', () => {
  const source = globSync('server/doctor/*.ts', { cwd: root }).map(read).join('\n')
  const places = all(source, /(docs\/operating\/[\w-]+\.md(?:#[\w-]+)?)/g)
  expect(places.length).toBeGreaterThan(5)
  const dead = places.filter((place) => {
    const [file = '', anchor] = place.split('#')
    return !existsSync(path.join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
  expect(dead).toEqual([])
})
