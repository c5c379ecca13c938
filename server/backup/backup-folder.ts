// The backup folder: WAL archives with their base backups, all encrypted, each file complete or absent.
//
//   archive-TIME-SYSTEM-TIMELINE/          the WAL of one database without a gap
//     wal-START-END-TIME                   a part of it; TIME: what was acknowledged before is included
//     base-TIME-LSN/data, .../facts        the data folder as tar; what verification compares. Before version 0.4.0: base-TIME
//     reached                              end of the WAL, and its time
//   erasures                               erased accounts, to erase again after a restore
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { z } from 'zod'
import { renameDurably } from '../engine/write-file-durably.ts'
import { BackupError, decrypt, encrypt } from './encrypt.ts'
import type { Lsn } from './lsn.ts'

export interface BackupFolder {
  readonly dir: string
  /** 32 bytes each. The first encrypts; the others open what was encrypted before a change of the key. */
  readonly keys: readonly [Buffer, ...Buffer[]]
}

export interface WalFile {
  readonly name: string
  readonly startLsn: Lsn
  readonly endLsn: Lsn
  /** What was acknowledged before is in this file or an earlier one. Epoch milliseconds. */
  readonly atMs: number
}

export interface Archive {
  readonly name: string
  readonly systemId: string
  readonly timeline: number
  /** In the order of their positions. */
  readonly wal: readonly WalFile[]
  /** Names of finished base backups in the order of their positions. */
  readonly bases: readonly string[]
}

export const partial = '.partial'
/** Each piece changes the thread several times, and a busy machine delays every change. */
const pieceBytes = 1 << 20

/** A file of the backup does not exist. */
export class MissingFile extends BackupError {
  constructor(name: string, options?: ErrorOptions) {
    super(`${name} is missing in the backup folder`, options)
  }
}

/** `20261123T103000.123Z`: sorts by time and is a file name everywhere. */
const timeName = (atMs: number): string => new Date(atMs).toISOString().replaceAll(/[-:]/g, '')

/** NaN for a text that `timeName` did not make. */
function timeOfName(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(.*)$/, '$1-$2-$3T$4:$5:$6'))
}

const basePattern = /^base-([\dTZ.]+)(?:-([0-9a-f]{16}))?$/

/** Names tell the order of base backups also when the clock was wrong. */
export const baseName = (atMs: number, lsn: Lsn): string => `base-${timeName(atMs)}-${lsnName(lsn)}`

/** When a base backup began, from its name. Epoch milliseconds. */
export const baseTime = (name: string): number => timeOfName(basePattern.exec(name)?.[1] ?? '')

/** Position before which a base backup needs no WAL; undefined for one of an earlier version. */
export function baseLsn(name: string): Lsn | undefined {
  const [, , lsn] = basePattern.exec(name) ?? []
  return lsn === undefined ? undefined : BigInt(`0x${lsn}`)
}

interface ArchiveName {
  /** When it was begun, in epoch milliseconds. */
  readonly atMs: number
  readonly systemId: string
  readonly timeline: number
}

export const archiveName = ({ atMs, systemId, timeline }: ArchiveName): string => `archive-${timeName(atMs)}-${systemId}-${timeline}`

/** What the name of an archive says. */
export function readArchiveName(name: string): ArchiveName {
  const [, time = '', systemId = '', timeline = ''] = name.split('-')
  return { atMs: timeOfName(time), systemId, timeline: Number(timeline) }
}

/** All archives, oldest first. An absent folder has none. */
export async function listArchives(dir: string): Promise<Archive[]> {
  const names = (await namesIn(dir)).filter((name) => /^archive-[\dTZ.]+-\d+-\d+$/.test(name)).toSorted()
  return Promise.all(names.map((name) => readArchive(dir, name)))
}

async function readArchive(dir: string, name: string): Promise<Archive> {
  const { systemId, timeline } = readArchiveName(name)
  const files = (await namesIn(join(dir, name))).toSorted()
  const wal = files.flatMap((file): WalFile[] => {
    const [, start, end, at] = /^wal-([0-9a-f]{16})-([0-9a-f]{16})-([\dTZ.]+)$/.exec(file) ?? []
    if (start === undefined || end === undefined || at === undefined) return []
    return [{ name: file, startLsn: BigInt(`0x${start}`), endLsn: BigInt(`0x${end}`), atMs: timeOfName(at) }]
  })
  const bases = files.filter((file) => basePattern.test(file)).toSorted(byPosition)
  return { name, systemId, timeline, wal, bases }
}

function byPosition(one: string, other: string): number {
  const [first, second] = [baseLsn(one) ?? 0n, baseLsn(other) ?? 0n]
  if (first === second) return one < other ? -1 : 1
  return first < second ? -1 : 1
}

async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

const lsnName = (lsn: Lsn): string => lsn.toString(16).padStart(16, '0')

export const walFileName = ({ startLsn, endLsn, atMs }: Omit<WalFile, 'name'>): string =>
  `wal-${lsnName(startLsn)}-${lsnName(endLsn)}-${timeName(atMs)}`

/** Name under which a WAL file is encrypted. Its end is known only when it is complete, and is compared with its content. */
export const walContext = (archive: string, { startLsn, atMs }: Pick<WalFile, 'startLsn' | 'atMs'>): string =>
  `${archive}/wal-${lsnName(startLsn)}-${timeName(atMs)}`

/** Where a file is written when that is not its name in the backup. */
interface FileTarget {
  /** Final path, from the number of bytes that were written before compression. */
  readonly final?: (bytes: number) => string
  readonly temporary?: string
}

/**
 * Writes an encrypted file, which has its final path only when all of it is on disk. Paths are relative to the backup folder.
 * @returns the number of bytes before compression
 */
export async function writeEncrypted(
  { dir, keys }: BackupFolder,
  name: string,
  source: AsyncIterable<Buffer>,
  { final = () => name, temporary = `${name}${partial}` }: FileTarget = {},
): Promise<number> {
  const file = join(dir, temporary)
  const compress = createZstdCompress({ chunkSize: pieceBytes })
  try {
    await pipeline(
      inPieces(source),
      compress,
      (compressed: AsyncIterable<Buffer>) => encrypt(compressed, keys[0], name),
      createWriteStream(file, { mode: 0o600, flush: true, highWaterMark: pieceBytes }),
    )
    await renameDurably(file, join(dir, final(compress.bytesWritten)))
    return compress.bytesWritten
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** Joins small parts. */
export async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const bytes of source) {
    parts.push(bytes)
    length += bytes.length
    if (length < pieceBytes) continue
    yield Buffer.concat(parts, length)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts, length)
}

/** Reads an encrypted file to its end. @throws BackupError if it is missing, damaged or encrypted with another key */
export async function readEncrypted(
  { dir, keys }: BackupFolder,
  name: string,
  consume: (content: AsyncIterable<Buffer>) => Promise<void>,
  fileName = name,
): Promise<void> {
  const file = createReadStream(join(dir, fileName), { highWaterMark: pieceBytes })
  try {
    await pipeline(
      file,
      (sealed: AsyncIterable<Buffer>) => decrypt(sealed, keys, name),
      createZstdDecompress({ chunkSize: pieceBytes }),
      consume,
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new MissingFile(fileName, { cause: error })
    throw error
  }
}

export async function writeJson(folder: BackupFolder, name: string, value: unknown, target?: FileTarget): Promise<void> {
  await writeEncrypted(folder, name, bytesOf(JSON.stringify(value)), target)
}

/** @throws BackupError if it is missing, damaged, encrypted with another key or of another version */
export async function readJson<Value>(folder: BackupFolder, name: string, schema: z.ZodType<Value>): Promise<Value> {
  const parts: Buffer[] = []
  await readEncrypted(folder, name, async (content) => {
    for await (const bytes of content) parts.push(bytes)
  })
  const parsed = schema.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')))
  if (!parsed.success) throw new BackupError(`${name} was written by another version of Tezi`)
  return parsed.data
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Removes what a killed backup left in an archive; the caller holds the lock of this kind of file. */
export async function removePartial(dir: string, archive: string, prefix: 'wal-' | 'base-'): Promise<void> {
  for (const name of await namesIn(join(dir, archive))) {
    if (name.startsWith(prefix) && name.endsWith(partial)) await rm(join(dir, archive, name), { recursive: true, force: true })
  }
}

/** Folders that do not exist yet are judged by the nearest one above. */
export async function isOnSameDisk(one: string, other: string): Promise<boolean> {
  return (await deviceOf(resolve(one))) === (await deviceOf(resolve(other)))
}

async function deviceOf(path: string): Promise<number> {
  try {
    return (await stat(path)).dev
  } catch (error) {
    const parent = dirname(path)
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || parent === path) throw error
    return deviceOf(parent)
  }
}
