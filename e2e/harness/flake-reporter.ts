// Playwright reporter: prints every test that needed its retry, and fails the run when the flake budget is exceeded.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { judgeFlakes, parseFlakeBudget } from './judge-flakes.ts'

export interface FlakeReporterOptions {
  /** Overrides the committed budget. */
  readonly budgetFile?: string
}

const committedBudget = path.resolve(import.meta.dirname, '../flake-budget.json')

export default class FlakeReporter implements Reporter {
  private readonly budgetFile: string
  private suite: Suite | undefined
  private rootDir = ''

  constructor({ budgetFile = committedBudget }: FlakeReporterOptions) {
    this.budgetFile = budgetFile
  }

  printsToStdio(): boolean {
    return false
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.suite = suite
    this.rootDir = config.rootDir
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] }> {
    // Playwright passes a run whose reporter throws.
    try {
      return this.report(result)
    } catch (error) {
      console.log(`\nThe flake budget cannot be read, so the run fails: ${(error as Error).message}`)
      return { status: 'failed' }
    }
  }

  private report(result: FullResult): { status?: FullResult['status'] } {
    const budget = parseFlakeBudget(readFileSync(this.budgetFile, 'utf8'))
    const tests = (this.suite?.allTests() ?? []).filter(({ results }) => results.length > 0)
    // For example with --list.
    if (tests.length === 0) return {}
    const flaky = new Map(tests.filter((test) => test.outcome() === 'flaky').map((test) => [this.nameOf(test), test]))
    const { counted, excepted, expired, isExceeded } = judgeFlakes([...flaky.keys()], budget, new Date().toISOString().slice(0, 10))
    const retries = tests.reduce((sum, { results }) => sum + results.length - 1, 0)
    console.log(
      `\nFlake report: retries used: ${retries}; flaky tests: ${counted.length} (budget ${budget.flakyMax}), excepted: ${excepted.length}`,
    )
    for (const [name, test] of flaky) console.log(`  ${excepted.includes(name) ? 'excepted' : 'flaky'}  ${name}\n    ${firstErrorOf(test)}`)
    for (const { test, until } of expired)
      console.log(`  The exception for "${test}" ended on ${until}: fix the test or remove the exception.`)
    if (!isExceeded || result.status !== 'passed') return {}
    console.log('The flake budget is exceeded, so the run fails.')
    return { status: 'failed' }
  }

  /** For example `account.e2e.ts › a signed-in user › ends another session`. */
  private nameOf(test: TestCase): string {
    return [path.relative(this.rootDir, test.location.file).replaceAll(path.sep, '/'), ...test.titlePath().slice(3)].join(' › ')
  }
}

/** The first attempt's error in one line. */
function firstErrorOf({ results }: TestCase): string {
  const text = results[0]?.errors[0]?.message ?? results[0]?.status ?? 'no error was recorded'
  return stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 4)
    .join(' | ')
    .slice(0, 300)
}
