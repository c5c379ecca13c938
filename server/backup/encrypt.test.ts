// Encrypted backup files: what was changed, cut off, moved or written with another key does not open.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { decrypt, encrypt } from './encrypt.ts'

const key = Buffer.alloc(32, 1)
const chunk = 256 * 1024
const header = 48

async function* from(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const seal = (plain: Buffer, name = 'archive/file'): Promise<Buffer> => collect(encrypt(from(plain), key, name))
const open = (sealed: Buffer, keys: readonly Buffer[] = [key], name = 'archive/file'): Promise<Buffer> =>
  collect(decrypt(from(sealed), keys, name))

test('another key, another name and another kind of file are rejected', async () => {
  const sealed = await seal(Buffer.from('chai'))
  await expect(open(sealed, [Buffer.alloc(32, 2)])).rejects.toThrow('was encrypted with another key than BACKUP_KEY')
  await expect(open(sealed, [key], 'archive/other')).rejects.toThrow('archive/other is damaged')
  await expect(open(Buffer.from('x'.repeat(100)))).rejects.toThrow('is not a backup file of this version of Tezi')
  await expect(open(Buffer.alloc(0))).rejects.toThrow('is cut off')
})

test('a file that is cut off anywhere, also between two chunks, is rejected', async () => {
  const sealed = await seal(randomBytes(2 * chunk + 100))
  for (const length of [
    header - 1,
    header,
    header + 1,
    header + chunk + 15,
    header + chunk + 16,
    header + 2 * (chunk + 16),
    sealed.length - 1,
  ])
    await expect(open(sealed.subarray(0, length))).rejects.toThrow('damaged')
  await expect(open(Buffer.concat([sealed, Buffer.from('x')]))).rejects.toThrow('damaged')
})

test('a changed bit and exchanged chunks are rejected', async () => {
  const sealed = await seal(randomBytes(3 * chunk))
  for (const at of [20, header, header + chunk, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(open(changed)).rejects.toThrow('damaged')
  }
  const at = (index: number) => sealed.subarray(header + index * (chunk + 16), header + (index + 1) * (chunk + 16))
  await expect(open(Buffer.concat([sealed.subarray(0, header), at(1), at(0), at(2)]))).rejects.toThrow('damaged')
})

test('any content opens again, however it is cut into pieces, also with the key before a rotation', async () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: chunk - 2, max: chunk + 2 }), fc.constant(2 * chunk))
  await assertProperty(
    fc.asyncProperty(size, fc.integer({ min: 40, max: 400_000 }), async (bytes, piece) => {
      const plain = randomBytes(bytes)
      const pieces = (all: Buffer) =>
        from(...Array.from({ length: Math.ceil(all.length / piece) }, (_, index) => all.subarray(index * piece, (index + 1) * piece)))
      const sealed = await collect(encrypt(pieces(plain), key, 'a'))
      expect((await collect(decrypt(pieces(sealed), [Buffer.alloc(32, 2), key], 'a'))).equals(plain)).toBe(true)
    }),
  )
})

test('the same content never looks the same', async () => {
  expect((await seal(Buffer.from('chai'))).equals(await seal(Buffer.from('chai')))).toBe(false)
})
