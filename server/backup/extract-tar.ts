// Extracts the tar archive of a base backup: folders and files only, readable by the engine's user only.
import { chown, mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { OsUser } from '../engine/os-user.ts'
import { BackupError } from './encrypt.ts'

const blockBytes = 512

interface Entry {
  readonly name: string
  readonly type: string
  readonly bytes: number
}

/** Writes the entries below `target`, which exists. @throws BackupError if the archive is not one of a base backup */
export async function extractTar(tar: AsyncIterable<Buffer>, target: string, owner: OsUser): Promise<void> {
  const input = reader(tar)
  for (;;) {
    const header = await input.take(blockBytes)
    // The end is two empty blocks, or the end of the stream.
    if (header.every((byte) => byte === 0)) break
    await extractEntry(readHeader(header), input, target, owner)
  }
  // The source checks its own end only if it is read to its end.
  while ((await input.some(blockBytes)).length > 0);
}

async function extractEntry({ name, type, bytes }: Entry, input: Reader, target: string, owner: OsUser): Promise<void> {
  const path = join(target, name)
  if (type === '5') {
    await makeFolder(path, owner)
    return
  }
  if (type !== '0') throw new BackupError(`the base backup contains ${name}, which is neither a file nor a folder`)
  await makeFolder(dirname(path), owner)
  const file = await open(path, 'wx', 0o600)
  try {
    if (owner) await file.chown(owner.uid, owner.gid)
    await copy(input, file, bytes, name)
  } finally {
    await file.close()
  }
  await input.take((blockBytes - (bytes % blockBytes)) % blockBytes)
}

async function makeFolder(path: string, owner: OsUser): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first !== undefined && owner) await chown(path, owner.uid, owner.gid)
}

async function copy(input: Reader, file: FileHandle, bytes: number, name: string): Promise<void> {
  for (let left = bytes; left > 0;) {
    const part = await input.some(left)
    if (part.length === 0) throw new BackupError(`the base backup ends within ${name}`)
    await file.writeFile(part)
    left -= part.length
  }
}

function readHeader(header: Buffer): Entry {
  const text = (from: number, length: number): string => header.toString('latin1', from, from + length).split('\0')[0] ?? ''
  const name = header.subarray(0, header.indexOf(0) === -1 ? 100 : Math.min(100, header.indexOf(0))).toString('utf8')
  const bytes = Number.parseInt(text(124, 12), 8)
  if (text(257, 5) !== 'ustar' || !Number.isSafeInteger(bytes) || name === '' || normalize(name).startsWith('..') || name.startsWith('/'))
    throw new BackupError('the base backup is not a tar archive')
  return { name, type: text(156, 1) || '0', bytes }
}

interface Reader {
  /** Exactly `length` bytes; none at the end. */
  take(length: number): Promise<Buffer>
  /** At least one and at most `most` bytes; none at the end. */
  some(most: number): Promise<Buffer>
}

function reader(source: AsyncIterable<Buffer>): Reader {
  const iterator = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  async function some(most: number): Promise<Buffer> {
    while (buffered.length === 0) {
      const next = await iterator.next()
      if (next.done === true) return buffered
      buffered = next.value
    }
    const part = buffered.subarray(0, most)
    buffered = buffered.subarray(part.length)
    return part
  }
  return {
    some,
    async take(length) {
      const parts: Buffer[] = []
      for (let left = length; left > 0;) {
        const part = await some(left)
        if (part.length === 0) {
          if (parts.length === 0) break
          throw new BackupError('the base backup is cut off')
        }
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts)
    },
  }
}
