// Runs one rule of the project over a piece of code, as the linter does.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The linter's report; empty without one. */
export function lintSample(rule: string, code: string): string {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/lint-'))
  const file = join(folder, 'sample.tsx')
  const config = join(folder, 'lint.json')
  const jsPlugins = [join(root, 'scripts/lint/plugin.mjs')]
  writeFileSync(file, code)
  writeFileSync(config, JSON.stringify({ jsPlugins, categories: { correctness: 'off' }, rules: { [`tezi/${rule}`]: 'error' } }))
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', config, '--no-ignore', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  return status === 0 ? '' : stdout
}
