// The property runner: a counterexample fails the run with its seed, is recorded, and is the first case of the next run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fc, fileStore, runProperty, type CounterexampleStore } from './property.ts'

let folder: string
let store: CounterexampleStore
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tezi-property-'))
  store = fileStore(path.join(folder, 'known.json'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const isBelow100 = (seen: number[] = []) =>
  fc.property(fc.nat(1000), (value) => {
    seen.push(value)
    return value < 100
  })

test('a failing property fails the test with seed, path and smallest counterexample', async () => {
  const run = runProperty(isBelow100(), { seed: 7 }, { name: 'below 100', runsFactor: 1, store })
  await expect(run).rejects.toThrow(/New counterexample of "below 100"[^]*seed: 7, path: "[\d:]+"[^]*Counterexample: \[100\]/)
})

test('a counterexample is the first case of the next run, which fails again until the code is fixed', async () => {
  await expect(runProperty(isBelow100(), { seed: 7 }, { name: 'below 100', runsFactor: 1, store })).rejects.toThrow('seed: 7')
  const seen: number[] = []
  // Another seed would not find it at its first case.
  const again = runProperty(isBelow100(seen), { numRuns: 1, seed: 1 }, { name: 'below 100', runsFactor: 1, store })
  await expect(again).rejects.toThrow(/Known counterexample of "below 100" fails again[^]*seed: 7/)
  expect(seen[0]).toBeGreaterThanOrEqual(100)

  const mended: number[] = []
  const property = fc.property(fc.nat(1000), (value) => {
    mended.push(value)
  })
  await runProperty(property, { numRuns: 5 }, { name: 'below 100', runsFactor: 1, store })
  expect(mended).toHaveLength(6)
  expect(mended[0]).toBe(seen[0])
})

test('asynchronous properties are awaited, and other properties have their own counterexamples', async () => {
  const property = fc.asyncProperty(fc.nat(), () => Promise.resolve(false))
  await expect(runProperty(property, { seed: 3 }, { name: 'never', runsFactor: 1, store })).rejects.toThrow('seed: 3')
  expect(store.read('never')).toEqual([{ seed: 3, index: 0 }])
  expect(store.read('below 100')).toEqual([])
})

test.each([
  [undefined, 1, 100],
  [undefined, 0.2, 20],
  [40, 10, 400],
  [4, 0.1, 1],
])('with numRuns %j and the factor %d there are %d cases', async (numRuns, runsFactor, expected) => {
  let count = 0
  const property = fc.property(fc.nat(), () => void (count += 1))
  await runProperty(property, numRuns === undefined ? {} : { numRuns }, { name: 'counted', runsFactor, store })
  expect(count).toBe(expected)
})
