// Pages of WAL: where the last whole record ends, which is what a replay has to reach.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lastEndIn, lastRecordEnd } from './lsn.ts'
import { segmentBytes, segmentName } from './lsn.ts'

/** A page that begins with the last `rest` bytes of a record of an earlier page, and has records of these lengths. */
function page(rest: number, records: readonly number[], { isLong = false, lsn = 0n } = {}): Buffer {
  const bytes = Buffer.alloc(8_192)
  bytes.writeUInt16LE((rest > 0 ? 1 : 0) | (isLong ? 2 : 0), 2)
  bytes.writeBigUInt64LE(lsn, 8)
  bytes.writeUInt32LE(rest, 16)
  let at = Math.ceil(((isLong ? 40 : 24) + rest) / 8) * 8
  for (const length of records) {
    bytes.writeUInt32LE(length, at)
    at += Math.ceil(length / 8) * 8
  }
  return bytes
}

test.each([
  ['the last record ends with the page', page(0, [104, 8_064]), 8_192],
  ['the last record goes on in the next page', page(0, [100, 9_000]), 24 + 104],
  ['a record of an earlier page ends here, the next one goes on', page(60, [8_500]), 88],
  ['a record of an earlier page ends with the page', page(8_168, []), 8_192],
  ['the rest is empty after a switch', page(0, [104]), 8_192],
  ['the first page of a segment', page(0, [104, 8_100], { isLong: true }), 144],
  ['a record of an earlier page goes on', page(9_000, []), undefined],
  ['the first record goes on', page(0, [9_000]), undefined],
])('%s', (_what, bytes, end) => {
  expect(lastEndIn(bytes)).toBe(end)
})

test('a record over several pages, and what PostgreSQL has not written', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tezi-wal-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const lsn = 5n * segmentBytes
  const pages = [page(0, [104, 20_000], { isLong: true, lsn }), page(12_000, [], { lsn: lsn + 8_192n }), Buffer.alloc(8_192)]
  await writeFile(join(dir, segmentName(1, lsn)), Buffer.concat(pages))
  expect(await lastRecordEnd(dir, 1, lsn + 16_384n)).toBe(lsn + 144n)
  expect(await lastRecordEnd(dir, 1, lsn + 8_192n)).toBe(lsn + 144n)
  expect(await lastRecordEnd(dir, 1, lsn + 8_296n)).toBe(lsn + 8_296n)
  expect(await lastRecordEnd(dir, 1, lsn + 24_576n)).toBe(lsn + 24_576n)
  expect(await lastRecordEnd(dir, 1, lsn + segmentBytes + 8_192n)).toBe(lsn + segmentBytes + 8_192n)
})
