// Files of the backup folder pass through compression and encryption in large pieces.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inPieces, readEncrypted, writeEncrypted } from './backup-folder.ts'

const part = 32 * 1024
const piece = 1024 * 1024

/** As PostgreSQL sends them. */
async function* parts(count: number): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number += 1) yield Buffer.alloc(part, number)
}

test('small parts are joined in their order', async () => {
  const pieces: Buffer[] = []
  for await (const bytes of inPieces(parts(70))) pieces.push(bytes)
  expect(pieces.map(({ length }) => length)).toEqual([piece, piece, 6 * part])
  expect(pieces[2]?.subarray(5 * part)).toEqual(Buffer.alloc(part, 69))
})

test('a file is read as it was written, and in few pieces', async () => {
  const path = await mkdtemp(join(tmpdir(), 'tezi-folder-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const folder = { dir: path, keys: [Buffer.alloc(32, 1)] as const }
  await writeEncrypted(folder, 'data', parts(100))
  const pieces: Buffer[] = []
  await readEncrypted(folder, 'data', async (content) => {
    for await (const bytes of content) pieces.push(bytes)
  })
  const whole: Buffer[] = []
  for await (const bytes of parts(100)) whole.push(bytes)
  expect(Buffer.concat(pieces).equals(Buffer.concat(whole))).toBe(true)
  expect(pieces.length).toBeLessThan(10)
})
