// Runs every check in the order in which a mistake is cheapest to see, stops at the first that fails, and prints the times.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureChromium } from './ensure-chromium.ts'

const root = join(import.meta.dirname, '..')

/** Title of a step and the script of package.json that it runs. */
const steps = [
  ['Format', 'format:check'],
  ['Types', 'types'],
  ['Lint', 'lint'],
  ['Arrows', 'arrows'],
  ['Unused code', 'unused'],
  ['Unit and API tests', 'test:unit'],
  ['Build', 'build'],
  ['Bytes', 'bytes'],
  ['Browser tests', 'test:e2e'],
] as const

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Runs one shell command in the project and gathers what it prints. */
function run(command: string): Promise<{ hasPassed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', (code) => resolve({ hasPassed: code === 0, output: Buffer.concat(chunks).toString() }))
  })
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`.padStart(8)
}

/** The lines that say what a step found: counts of tests, what passed at a second try only, a table of bytes. */
function summaryOf(script: string, output: string): string {
  const plain = stripVTControlCharacters(output)
  if (script === 'bytes') return plain
  const counts = plain.split('\n').filter((line) => /^\s*(Test Files|Tests) |\(retry x\d+\)/.test(line))
  return counts.length === 0 ? '' : `${counts.join('\n')}\n`
}

/**
 * What a reader of a failed step needs first: for test runs the names of what failed, then the errors, without the thousands
 * of lines about what passed; a long log is often kept by its beginning only.
 */
function failureOf(output: string): string {
  const plain = stripVTControlCharacters(output)
  const start = plain.search(/^.*(Failed (Suites|Tests) \d|Unhandled Error)/m)
  if (start === -1) return plain
  const failures = plain.slice(start)
  const names = failures.split('\n').filter((line) => /^\s*FAIL\s/.test(line))
  return `${[...new Set(names)].join('\n')}\n\n${failures}`
}

// We lead a process group of our own, so what a step started ends with us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (process.platform !== 'win32') process.kill(-process.pid, 'SIGTERM')
    process.exit(1)
  })
}

const startMs = performance.now()
console.log(`Chromium: ${ensureChromium()}`)
for (const [title, script] of steps) {
  const stepMs = performance.now()
  const { hasPassed, output } = await run(manifest.scripts[script] ?? `echo "package.json has no script ${script}" && exit 1`)
  console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${title.padEnd(20)} ${seconds(stepMs)}`)
  if (!hasPassed) {
    console.log(`\n${failureOf(output)}\n${title} failed: npm run ${script}`)
    process.exit(1)
  }
  process.stdout.write(summaryOf(script, output))
}
console.log(`ok   ${'Everything'.padEnd(20)} ${seconds(startMs)}`)
