// Runs the project's checks in parallel with live progress; stops at the first failure and prints the durations.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { failureOf, finishedIn, summaryOf } from './check-output.ts'
import { ensureChromium } from './ensure-chromium.ts'
import { makeMemoryFolder } from './memory-folder.ts'

const root = join(import.meta.dirname, '..')

const groups = ['static', 'unit', 'api-embedded', 'api-postgres', 'e2e'] as const

interface Step {
  readonly name: string
  /** Script of package.json. */
  readonly script: string
  readonly group: (typeof groups)[number]
  /** Steps that must pass first, as far as this run has them. */
  readonly after?: readonly string[]
  readonly args?: readonly string[]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: [] }, shard: { type: 'string' } },
})
const [command = 'test'] = positionals

const staticSteps: readonly Step[] = [
  { name: 'format', script: 'format:check', group: 'static' },
  { name: 'types', script: 'types', group: 'static' },
  { name: 'lint', script: 'lint', group: 'static' },
  { name: 'dependencies', script: 'lint:deps', group: 'static' },
  { name: 'unused code', script: 'lint:unused', group: 'static' },
  { name: 'copied code', script: 'lint:copies', group: 'static' },
  { name: 'structure', script: 'lint:structure', group: 'static' },
  { name: 'specification', script: 'test:specification', group: 'static' },
]
/** In start order. The browser tests take the longest, so all other steps run in parallel with them. */
const testSteps: readonly Step[] = [
  { name: 'build', script: 'build', group: 'e2e' },
  { name: 'e2e', script: 'test:e2e', group: 'e2e', after: ['build'], args: values.shard === undefined ? [] : ['--shard', values.shard] },
  ...staticSteps,
  { name: 'size', script: 'size', group: 'e2e', after: ['build'] },
  { name: 'unit', script: 'test:unit', group: 'unit' },
  { name: 'api-embedded', script: 'test:api', group: 'api-embedded' },
  { name: 'api-postgres', script: 'test:api:postgres', group: 'api-postgres' },
]

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const steps = chosenSteps()
const startMs = performance.now()
const running = new Map<Step, { readonly child: ChildProcess; readonly sinceMs: number; finished: number }>()
const passed = new Set<string>()

// This process leads a process group, so the processes of a step end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopAll(1))

// The caller's TMPDIR takes precedence.
if (command === 'test') process.env['TMPDIR'] ??= makeMemoryFolder()
if (steps.some((step) => step.name === 'e2e')) console.log(`Chromium: ${ensureChromium()}`)
const heartbeat = setInterval(printProgress, 10_000)
await runAll()
clearInterval(heartbeat)
console.log(`ok    ${'everything'.padEnd(14)} ${seconds(startMs)}`)

function chosenSteps(): readonly Step[] {
  if (command === 'check') return [...staticSteps, { name: 'unit, changed', script: 'test:changed', group: 'unit', args: [changedSince()] }]
  if (command !== 'test') fail(`Unknown command ${command}: test or check`)
  const unknown = values.only.filter((name) => !groups.some((group) => group === name))
  if (unknown.length > 0) fail(`Unknown group ${unknown.join(', ')}; one of ${groups.join(', ')}`)
  const isChosen = (step: Step): boolean => values.only.length === 0 || values.only.includes(step.group)
  const hasServer = Boolean(process.env['TEST_DATABASE_URL'])
  if (!hasServer && values.only.includes('api-postgres')) fail('api-postgres needs TEST_DATABASE_URL')
  if (!hasServer) console.log('Not run: api-postgres, because TEST_DATABASE_URL is not set')
  return testSteps.filter((step) => isChosen(step) && (hasServer || step.group !== 'api-postgres'))
}

/** Base commit of the branch; uncommitted files count as changed too. */
function changedSince(): string {
  const base = spawnSync('git', ['merge-base', 'HEAD', '@{upstream}'], { cwd: root, encoding: 'utf8' })
  return base.status === 0 ? base.stdout.trim() : 'HEAD'
}

/** Starts steps in order, two at once or half the number of cores: most steps use several themselves. */
function runAll(): Promise<void> {
  const waiting = [...steps]
  return new Promise((resolve) => {
    const startNext = (): void => {
      while (running.size < Math.max(2, availableParallelism() / 2)) {
        const next = waiting.findIndex((step) => !isBlocked(step))
        const [step] = next === -1 ? [] : waiting.splice(next, 1)
        if (step === undefined) break
        start(step, startNext)
      }
      if (running.size === 0 && waiting.length === 0) resolve()
    }
    startNext()
  })
}

function isBlocked({ after }: Step): boolean {
  return after?.some((name) => steps.some((step) => step.name === name) && !passed.has(name)) ?? false
}

function start(step: Step, onPassed: () => void): void {
  const line = manifest.scripts[step.script]
  if (line === undefined) return fail(`package.json has no script ${step.script}`)
  const child = spawn([line, ...(step.args ?? [])].join(' '), { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const run = { child, sinceMs: performance.now(), finished: 0 }
  running.set(step, run)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      run.finished += finishedIn(text)
    })
  }
  child.once('close', (code) => {
    running.delete(step)
    const plain = stripVTControlCharacters(output)
    console.log(
      `${code === 0 ? 'ok   ' : 'FAIL '} ${step.name.padEnd(14)} ${seconds(run.sinceMs)}${code === 0 ? summaryOf(step.script, plain) : ''}`,
    )
    if (code === 0) {
      passed.add(step.name)
      onPassed()
    } else {
      console.log(`\n${failureOf(plain)}\n${step.name} failed: npm run ${step.script}`)
      stopAll(1)
    }
  })
}

function printProgress(): void {
  const states = [...running].map(
    ([{ name }, { sinceMs, finished }]) => `${name}${finished > 0 ? ` (${finished} done)` : ''} ${seconds(sinceMs).trim()}`,
  )
  console.log(`      ${seconds(startMs).trim()}: ${states.join(', ')}`)
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`.padStart(8)
}

function stopAll(code: number): void {
  process.removeAllListeners('SIGTERM')
  process.once('SIGTERM', () => process.exit(code))
  try {
    process.kill(-process.pid, 'SIGTERM')
  } catch {
    // Started manually, outside of its own process group.
    for (const { child } of running.values()) child.kill()
    process.exit(code)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
