// A command that waits only for a timer of a feed, as for the next call that a provider allows, goes on to its end.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const run = (call: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module-typescript',
      '--eval',
      `import { keepAlive } from './scripts/operator/keep-alive.ts'
      import { realClock } from './server/features/market-data/real-clock.ts'
      const wait = () => new Promise<void>((resolve) => void realClock().after(20, resolve))
      ${call}
      console.log(typeof keepAlive, 'done')`,
    ],
    { cwd: root, encoding: 'utf8' },
  )

test('the wait alone ends the process in the middle', () => {
  expect(run('await wait()')).toMatchObject({ status: 13, stdout: '' })
})

test('every command is kept alive', () => {
  expect(run('await keepAlive(wait)')).toMatchObject({ status: 0, stdout: 'function done\n' })
})

test('an error of the work is passed on, and the process ends', () => {
  const failed = run("await keepAlive(async () => { throw new Error('broken') }).catch((error: Error) => console.log(error.message))")
  expect(failed).toMatchObject({ status: 0, stdout: 'broken\nfunction done\n' })
})
