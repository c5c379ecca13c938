// Playwright reporter: prints the table of conditions and walks of e2e/hostile.e2e.ts, and writes it for the docs.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter'

const folder = path.resolve(import.meta.dirname, '../../.cache/e2e')

export default class HostileReporter implements Reporter {
  private suite: Suite | undefined

  printsToStdio(): boolean {
    return false
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.suite = suite
  }

  onEnd(): void {
    const rows = new Map<string, Map<string, string>>()
    for (const test of this.suite?.allTests() ?? []) {
      if (!/\/hostile(-scripts)?\.e2e\.ts$/.test(test.location.file) || test.results.length === 0) continue
      const [walk = '', condition = ''] = test.titlePath().toReversed()
      rows.set(condition, (rows.get(condition) ?? new Map<string, string>()).set(walk, test.ok() ? 'done' : 'failed'))
    }
    if (rows.size === 0) return
    const walks = [...new Set([...rows.values()].flatMap((row) => [...row.keys()]))]
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const table = [
      line(['Condition', ...walks]),
      line(['---', ...walks.map(() => '---')]),
      ...[...rows].map(([condition, row]) => line([condition, ...walks.map((walk) => row.get(walk) ?? '–')])),
    ].join('\n')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'hostile.md'), `${table}\n`)
    console.log(`\n${table}`)
  }
}
