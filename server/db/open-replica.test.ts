// Servers that must not serve reads as a replica: no standby, and none at all. A real one: replica.slow.test.ts.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabaseUrl, freshDatabase } from '#server/testing/database.ts'
import type { Database, Replica } from './database.ts'
import { openReplica } from './open-replica.ts'

let primary: Database
let otherUrl: string
beforeAll(async () => {
  ;[primary, otherUrl] = await Promise.all([freshDatabase(), emptyDatabaseUrl('replica')])
})
afterAll(() => primary.close())

const opened: Replica[] = []
afterAll(() => Promise.all(opened.map((replica) => replica.close())))

function open(databaseUrl: string) {
  const lines: string[] = []
  let nowMs = 0
  const replica = openReplica({ databaseUrl, primary: primary.db, log: (line) => lines.push(line), monotonic: () => nowMs })
  opened.push(replica)
  const read = async (): Promise<string | undefined> => {
    const { rows } = await replica.read((db) => sql<{ name: string }>`select current_database() as name`.execute(db))
    return rows[0]?.name
  }
  return { replica, lines, read, pass: (ms: number) => (nowMs += ms) }
}

test.each([
  ['a database that is no standby', () => otherUrl, 'is no streaming replica of the database of DATABASE_URL'],
  ['a server that does not answer', () => 'postgres://secret:word@127.0.0.1:1/none', 'failed: ECONNREFUSED'],
])('%s: the primary serves, and the reason is logged once', async (_, url, issue) => {
  const { replica, lines, read, pass } = open(url())
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(primary.db)
  expect(await Promise.all([read(), read()])).toEqual([rows[0]?.name, rows[0]?.name])
  pass(10_000)
  expect(await read()).toBe(rows[0]?.name)
  expect(replica.counts).toEqual({ replica: 0, primary: 3 })
  expect(replica.issue()).toBe(issue)
  expect(lines).toEqual([`the replica is not used: it ${issue}`])
})
