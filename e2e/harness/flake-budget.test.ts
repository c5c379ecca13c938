// The flake budget: its rule as a table, and a real run of Playwright with a test that needs its retry.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeFlakes, parseFlakeBudget, type FlakeBudget } from './judge-flakes.ts'

const root = path.resolve(import.meta.dirname, '../..')
const name = 'flaky.fixture.ts › a test › that needs its retry'
const exception = { test: name, reason: 'The retry is what this test is about.', until: '2999-12-31' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tezi-flakes-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('judgeFlakes', () => {
  const held = { ...exception, test: 'a', until: '2026-11-30' }
  test.each<[what: string, flaky: string[], budget: FlakeBudget, today: string, counted: string[], isExceeded: boolean]>([
    ['nothing flaky', [], { flakyMax: 0, exceptions: [] }, '2026-11-22', [], false],
    ['one flaky test over a budget of none', ['a'], { flakyMax: 0, exceptions: [] }, '2026-11-22', ['a'], true],
    ['as many as the budget', ['a', 'b'], { flakyMax: 2, exceptions: [] }, '2026-11-22', ['a', 'b'], false],
    ['one more than the budget', ['a', 'b'], { flakyMax: 1, exceptions: [] }, '2026-11-22', ['a', 'b'], true],
    ['an excepted test on the last day', ['a'], { flakyMax: 0, exceptions: [held] }, '2026-11-30', [], false],
    ['an excepted test a day later', ['a'], { flakyMax: 0, exceptions: [held] }, '2026-12-01', ['a'], true],
    ['another test than the excepted one', ['a', 'b'], { flakyMax: 0, exceptions: [held] }, '2026-11-22', ['b'], true],
  ])('%s', (_, flaky, budget, today, counted, isExceeded) => {
    expect(judgeFlakes(flaky, budget, today)).toMatchObject({ counted, isExceeded })
  })

  test('reports expired exceptions', () => {
    expect(judgeFlakes([], { flakyMax: 0, exceptions: [held] }, '2026-12-01').expired).toEqual([held])
    expect(judgeFlakes([], { flakyMax: 0, exceptions: [held] }, '2026-11-30').expired).toEqual([])
  })
})

describe('parseFlakeBudget', () => {
  test.each([
    ['no JSON', '{', 'JSON'],
    ['no budget', '{ "exceptions": [] }', 'flakyMax must be'],
    ['a negative budget', '{ "flakyMax": -1, "exceptions": [] }', 'flakyMax must be'],
    ['no list', '{ "flakyMax": 0 }', 'exceptions must be a list'],
    ['an exception without a reason', '{ "flakyMax": 0, "exceptions": [{ "test": "a", "until": "2026-11-30" }] }', 'a test and a reason'],
    ['an exception without a date', '{ "flakyMax": 0, "exceptions": [{ "test": "a", "reason": "b" }] }', 'needs a date'],
    ['an exception until some day', '{ "flakyMax": 0, "exceptions": [{ "test": "a", "reason": "b", "until": "soon" }] }', 'needs a date'],
  ])('rejects %s', (_, text, message) => {
    expect(() => parseFlakeBudget(text)).toThrow(message)
  })

  test('reads the committed budget', () => {
    const budget = parseFlakeBudget(readFileSync(path.join(root, 'e2e/flake-budget.json'), 'utf8'))
    expect(budget.flakyMax).toBe(0)
  })
})

describe('a run of Playwright with a test that needs its retry', () => {
  test.each<[what: string, budget: unknown, exitCode: number, printed: string[]]>([
    ['fails without a readable budget', { exceptions: [] }, 1, ['The flake budget cannot be read', 'flakyMax must be a whole number']],
    [
      'fails over a budget of none',
      { flakyMax: 0, exceptions: [] },
      1,
      ['retries used: 1; flaky tests: 1 (budget 0), excepted: 0', `flaky  ${name}`, 'Expected: 1', 'The flake budget is exceeded'],
    ],
    [
      'passes with an exception',
      { flakyMax: 0, exceptions: [exception] },
      0,
      ['flaky tests: 0 (budget 0), excepted: 1', `excepted  ${name}`],
    ],
  ])('%s', (_, budget, exitCode, printed) => {
    const budgetFile = path.join(folder, 'budget.json')
    writeFileSync(budgetFile, JSON.stringify(budget))
    const config = path.join(import.meta.dirname, 'fixtures/flaky/playwright.config.ts')
    const run = spawnSync(process.execPath, [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', config], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', FLAKE_BUDGET: budgetFile, FLAKY_OUTPUT: path.join(folder, 'results') },
      encoding: 'utf8',
    })
    for (const text of printed) expect(run.stdout).toContain(text)
    expect(run.status).toBe(exitCode)
  })
})
