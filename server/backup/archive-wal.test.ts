// Which archives a database may continue, by its own note of the copy that it began last.
import { expect, test } from 'vitest'
import type { Archive, WalFile } from './backup-folder.ts'
import { continuedFrom, type BackupMarker } from './archive-wal.ts'

const file = (startLsn: bigint, endLsn: bigint, atMs: number): WalFile => ({ name: 'wal', startLsn, endLsn, atMs })
const archive = (...wal: WalFile[]): Archive => ({ name: 'archive-1', systemId: '1', timeline: 1, wal, bases: [] })
const marker = (fromLsn: bigint, atMs: number): BackupMarker => ({ archive: 'archive-1', fromLsn, atMs })
const files = [file(0n, 10n, 1), file(10n, 20n, 2), file(20n, 30n, 3)] as const

test.each([
  ['its last copy was completed', marker(20n, 3), archive(...files), 30n],
  ['its last copy failed', marker(30n, 4), archive(...files), 30n],
  ['its first copy failed', marker(0n, 1), archive(), 0n],
  ['it was set back by one copy', marker(10n, 2), archive(...files), undefined],
  ['it was set back by many copies', marker(0n, 1), archive(...files), undefined],
  ['another database of the same history made a copy from there', marker(20n, 4), archive(...files), undefined],
  ['files of the archive are gone', marker(20n, 3), archive(files[0]), undefined],
  ['it belongs to another archive', { ...marker(20n, 3), archive: 'archive-2' }, archive(...files), undefined],
])('%s', (_what, note, found, lsn) => {
  expect(continuedFrom(note, found)).toBe(lsn)
})
