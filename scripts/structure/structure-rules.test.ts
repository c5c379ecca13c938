import { describe, expect, test } from 'vitest'
import { parseFile } from './product-files.ts'
import { fragmentFiles, misnamedFiles, repeatedExports } from './structure-rules.ts'

const file = (name: string, text: string) => parseFile(name, `${text}\n`)

describe('parseFile', () => {
  test('counts declared exports of every kind, and resolves what is imported at load', () => {
    const text = [
      "import { a } from './a.ts'",
      "import { type B } from '#shared/base/b.ts'",
      "import '../c.ts'",
      "import pg from 'pg'",
      "const lazy = () => import('./lazy.ts')",
      'export const d = 1',
      'export async function f() {}',
      'export abstract class G {}',
      'export type H = string',
      "export { i } from './i.ts'",
    ].join('\n')
    expect(file('server/x/y.ts', text)).toEqual({
      file: 'server/x/y.ts',
      lines: 10,
      exports: ['d', 'f', 'G', 'H'],
      imports: ['server/x/a.ts', 'shared/base/b.ts', 'server/c.ts', 'server/x/i.ts'],
    })
  })
})

describe('misnamedFiles', () => {
  test.each([
    ['server/http/rate-limiter.ts', 'export class Limits {}', true],
    ['server/http/rate-limiter.ts', 'export class RateLimiter {}', false],
    ['server/http/rate-limiter.ts', 'export const rateLimiter = 1', false],
    ['server/http/rate-limiter.ts', 'export const rateLimiters = 1', true],
    ['server/features/x/service.ts', 'export class Anything {}', false],
    ['shared/x/substitutes.ts', 'export function substitutesOf() {}', false],
    ['shared/x/undo.ts', 'export const undoMs = 1', false],
    ['shared/x/email-contract.ts', 'export const emailRoutes = 1', false],
    ['shared/x/email-contract.ts', 'export const mailRoutes = 1', true],
    ['shared/x/email-routes.ts', 'export const emailContract = 1', true],
    ['shared/auth/text/en-account.ts', 'export const accountText = 1', false],
    ['web/features/x/alarm.worker.ts', 'export type Message = 1', false],
    ['web/main.tsx', 'void 0', false],
  ])('%s with "%s": %s', (name, text, isMisnamed) => {
    expect(misnamedFiles([file(name, text)])).toEqual(isMisnamed ? [name] : [])
  })
})

describe('repeatedExports', () => {
  test('names a name that two files of one part declare, not one of two parts or passed on', () => {
    const files = [
      file('web/a.ts', 'export const same = 1'),
      file('web/b.ts', 'export type same = 1'),
      file('server/a.ts', 'export const same = 1'),
      file('web/c.ts', "export { same } from './a.ts'"),
    ]
    expect(repeatedExports(files)).toEqual(['web same: web/a.ts, web/b.ts'])
  })
})

describe('fragmentFiles', () => {
  const small = file('web/x/small.ts', 'export const small = 1')
  const importing = (name: string) => file(name, "import { small } from '#web/x/small.ts'")
  test('is a small file with one importer beside it', () => {
    expect(fragmentFiles([small, importing('web/x/a.ts')])).toEqual(['web/x/small.ts'])
  })
  test.each([
    ['has two importers', [small, importing('web/x/a.ts'), importing('web/x/b.ts')]],
    ['is imported from another folder', [small, importing('web/y/a.ts')]],
    ['is loaded lazily', [small, file('web/x/a.ts', "const load = () => import('./small.ts')")]],
    ['is long', [file('web/x/small.ts', 'export const small = 1\n'.repeat(40)), importing('web/x/a.ts')]],
    ['has a name of the conventions', [file('web/x/api.ts', 'export const x = 1'), file('web/x/a.ts', "import { x } from './api.ts'")]],
  ])('is none when it %s', (_, files) => {
    expect(fragmentFiles(files)).toEqual([])
  })
})
