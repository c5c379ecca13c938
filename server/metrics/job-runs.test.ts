// Job runs, and jobs of several parts.
import { expect, test } from 'vitest'
import { jobRuns, runAll } from './job-runs.ts'

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

test('runs every part in order, and rejects at the end with what went wrong', async () => {
  const done: string[] = []
  const good = (name: string) => () => Promise.resolve(done.push(name))
  const bad = (name: string) => () => Promise.reject(new Error(name))
  await runAll([good('a'), good('b')])
  await expect(runAll([bad('x'), good('c')])).rejects.toThrow('x')
  await expect(runAll([bad('x'), good('d'), bad('y')])).rejects.toMatchObject({ errors: [new Error('x'), new Error('y')] })
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})
