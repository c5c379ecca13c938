// Property tests: replays known counterexamples, then tries random cases; a new counterexample is printed and recorded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'

/** The only import of fast-check, so that every property runs through `assertProperty`. */
export { fc }

/** A failing case: with this seed, the case of this number fails. */
export interface Counterexample {
  readonly seed: number
  readonly index: number
}

export interface CounterexampleStore {
  read(property: string): readonly Counterexample[]
  add(property: string, found: Counterexample): void
}

export interface RunOptions {
  /** Unique name of the property. */
  readonly name: string
  /** Multiplier of the number of runs. */
  readonly runsFactor: number
  readonly store: CounterexampleStore
}

const runsDefault = 100

/**
 * Runs a property on its known counterexamples, each alone, and then on `numRuns` (default 100) x `runsFactor` random cases.
 * @throws Error with the smallest counterexample, its seed and its path, after it was added to the store
 */
export async function runProperty<Ts>(property: fc.IRawProperty<Ts>, parameters: fc.Parameters<Ts>, options: RunOptions): Promise<void> {
  const { name, runsFactor, store } = options
  for (const { seed, index } of store.read(name)) {
    // The shrunk path is not stored: any change of the arbitrary breaks it, unlike the case number.
    const replayed = await fc.check(property, { ...parameters, seed, path: String(index), numRuns: 1 })
    if (replayed.failed) throw failureOf(`Known counterexample of "${name}" fails again`, replayed)
  }
  const numRuns = Math.max(1, Math.round((parameters.numRuns ?? runsDefault) * runsFactor))
  const details = await fc.check(property, { ...parameters, numRuns })
  if (!details.failed) return
  const index = Number(details.counterexamplePath?.split(':')[0] ?? 0)
  store.add(name, { seed: details.seed, index })
  throw failureOf(`New counterexample of "${name}"`, details)
}

/** Runs a property of the current test; `FC_RUNS` multiplies its number of runs. */
export function assertProperty<Ts>(property: fc.IRawProperty<Ts>, parameters: fc.Parameters<Ts> = {}): Promise<void> {
  return runProperty(property, parameters, {
    name: nameOfCurrent(),
    runsFactor: Number(process.env['FC_RUNS'] ?? 1),
    store: fileStore(path.join(import.meta.dirname, 'known-counterexamples.json')),
  })
}

/** Counterexamples in a JSON file, by the name of the property; the file is committed. */
export function fileStore(file: string): CounterexampleStore {
  const read = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Counterexample[]>) : {})
  return {
    read: (property) => read()[property] ?? [],
    add(property, found) {
      const all = read()
      writeFileSync(file, `${JSON.stringify({ ...all, [property]: [...(all[property] ?? []), found] }, null, 2)}\n`)
    },
  }
}

function failureOf<Ts>(title: string, details: fc.RunDetails<Ts>): Error {
  const cause = details.failed && 'errorInstance' in details ? details.errorInstance : undefined
  return new Error(`${title}\n${fc.defaultReportMessage(details) ?? ''}`, { cause })
}

let latest = ''
let countOfLatest = 0

/** File and title of the running test, and the number of the property in it from the second on. */
function nameOfCurrent(): string {
  const { testPath = '', currentTestName = '' } = expect.getState()
  const test = `${path.relative(path.join(import.meta.dirname, '..'), testPath).replaceAll(path.sep, '/')} > ${currentTestName}`
  countOfLatest = test === latest ? countOfLatest + 1 : 1
  latest = test
  return countOfLatest === 1 ? test : `${test} #${countOfLatest}`
}
