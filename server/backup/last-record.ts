// Where the last whole record of copied WAL ends. PostgreSQL writes WAL by pages too, so that a copy that ends with a page may end
// within a record.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentBytes, segmentName, type Lsn } from './lsn.ts'

const pageBytes = 8_192
/** Page headers; the first page of a segment has the long one. Version, flags, timeline, own position, length of what continues. */
const header = { bytes: 24, longBytes: 40, flagsAt: 2, positionAt: 8, remainingAt: 16, continues: 1, isLong: 2 } as const

/**
 * The position that replaying the WAL up to `endLsn` has to reach.
 * @param walDir folder with the segments, without a gap before `endLsn`
 */
export async function lastRecordEnd(walDir: string, timeline: number, endLsn: Lsn): Promise<Lsn> {
  if (endLsn % BigInt(pageBytes) !== 0n) return endLsn
  for (let limit = endLsn; ;) {
    const pageLsn = limit - BigInt(pageBytes)
    const page = await readPage(join(walDir, segmentName(timeline, pageLsn)), Number(pageLsn % segmentBytes))
    // Nothing that PostgreSQL has written there can be replayed.
    if (page === undefined || page.readBigUInt64LE(header.positionAt) !== pageLsn) return limit
    const found = lastEndIn(page)
    if (found !== undefined) return pageLsn + BigInt(found)
    limit = pageLsn
  }
}

/** Undefined if no record ends in the page. */
export function lastEndIn(page: Buffer): number | undefined {
  const flags = page.readUInt16LE(header.flagsAt)
  const begin = (flags & header.isLong) === 0 ? header.bytes : header.longBytes
  const rest = (flags & header.continues) === 0 ? 0 : page.readUInt32LE(header.remainingAt)
  let at = aligned(begin + rest)
  if (at > pageBytes) return undefined
  for (let isFirst = rest === 0; at < pageBytes; isFirst = false) {
    const bytes = page.readUInt32LE(at)
    // Empty after a switch, which the replay follows to the next segment.
    if (bytes === 0) return pageBytes
    if (at + bytes > pageBytes) return isFirst ? undefined : at
    at = aligned(at + bytes)
  }
  return at
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8

async function readPage(file: string, at: number): Promise<Buffer | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  try {
    return (await handle?.read(Buffer.alloc(pageBytes), 0, pageBytes, at))?.buffer
  } finally {
    await handle?.close()
  }
}
