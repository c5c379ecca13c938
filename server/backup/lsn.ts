// Positions in PostgreSQL's write-ahead log (WAL), the names of its segment files, and where its last whole record ends.
import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** Byte position in the WAL. */
export type Lsn = bigint

/** Of `initdb` without another size. */
export const segmentBytes = 16n * 1024n * 1024n

/** @throws Error for a text that is not like `0/16B3748` */
export function parseLsn(text: string): Lsn {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`"${text}" is no WAL position`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** As PostgreSQL writes it, for example `0/16B3748`. */
export const formatLsn = (lsn: Lsn): string => `${hex(lsn >> 32n)}/${hex(lsn & 0xff_ff_ff_ffn)}`

/** First position of the segment that contains `lsn`. */
export const segmentStart = (lsn: Lsn): Lsn => lsn - (lsn % segmentBytes)

/** File name of the segment that contains `lsn`. */
export function segmentName(timeline: number, lsn: Lsn): string {
  const perHigh = 0x1_00_00_00_00n / segmentBytes
  const number = lsn / segmentBytes
  return [BigInt(timeline), number / perHigh, number % perHigh].map((part) => hex(part).padStart(8, '0')).join('')
}

const hex = (value: bigint): string => value.toString(16).toUpperCase()

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
