// Job runs and cached values.
import { expect, test } from 'vitest'
import { cachedFor } from './cached-for.ts'
import { jobRuns } from './job-runs.ts'

test('a job that fails or is skipped has no success, and its error is passed on', async () => {
  let nowMs = 1_000
  const jobs = jobRuns({ now: () => nowMs })
  const outcomes = [() => Promise.reject(new Error('away')), () => Promise.resolve(false), () => Promise.resolve(7)]
  const run = jobs.track('sweep', () => outcomes.shift()?.() ?? Promise.reject(new Error('once more')))
  expect(jobs.list()).toEqual([{ job: 'sweep', success: 0, skipped: 0, failed: 0, lastSuccessMs: undefined }])
  await expect(run()).rejects.toThrow('away')
  await run()
  expect(jobs.list()).toEqual([{ job: 'sweep', success: 0, skipped: 1, failed: 1, lastSuccessMs: undefined }])
  await run()
  nowMs = 2_000
  await expect(run()).rejects.toThrow('once more')
  expect(jobs.list()).toEqual([{ job: 'sweep', success: 1, skipped: 1, failed: 2, lastSuccessMs: 1_000 }])
})

test('a value is read again when it expires, and immediately after a failed read', async () => {
  let nowMs = 0
  const answers = [Promise.reject(new Error('away')), Promise.resolve(1), Promise.resolve(2)]
  const read = cachedFor(
    100,
    () => answers.shift() ?? Promise.resolve(3),
    () => nowMs,
  )
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(1)
  nowMs = 99
  expect(await read()).toBe(1)
  nowMs = 100
  expect(await read()).toBe(2)
})
