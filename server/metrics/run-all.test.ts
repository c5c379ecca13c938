// A job of several parts.
import { expect, test } from 'vitest'
import { runAll } from './run-all.ts'

test('runs every part in order, and rejects at the end with what went wrong', async () => {
  const done: string[] = []
  const good = (name: string) => () => Promise.resolve(done.push(name))
  const bad = (name: string) => () => Promise.reject(new Error(name))
  await runAll([good('a'), good('b')])
  await expect(runAll([bad('x'), good('c')])).rejects.toThrow('x')
  await expect(runAll([bad('x'), good('d'), bad('y')])).rejects.toMatchObject({ errors: [new Error('x'), new Error('y')] })
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})
