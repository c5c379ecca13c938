// Waits for the first answer of a PostgreSQL that has just been started.
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type Supervised } from './supervise.ts'

export interface EngineConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** Recovery after a crash replays at most `max_wal_size`; slow disks need patience. */
const readyMs = 120_000

/** Resolves after the first query; throws with PostgreSQL's own last words when it ends instead. `newLog` gives what it wrote in this start. */
export async function untilReady(
  connection: EngineConnection,
  run: Supervised,
  newLog: () => Promise<string>,
  log: (line: string) => void,
): Promise<void> {
  const started = performance.now()
  const end = { isReached: false }
  void run.ended.catch(() => {}).then(() => (end.isReached = true))
  let said = false
  let pauseMs = 5
  while (!end.isReached) {
    const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      // It runs and will never let us in.
      if ((error as { code?: string }).code?.startsWith('28')) throw error
      if (performance.now() - started > readyMs)
        throw new Error(`the embedded PostgreSQL was not ready within ${readyMs / 1000} s`, { cause: error })
    } finally {
      await client.end().catch(() => {})
    }
    if (!said && performance.now() - started > 5000) {
      said = true
      log('PostgreSQL is still recovering from the last stop')
    }
    // Each try costs PostgreSQL a process, so they get rarer while it recovers.
    pauseMs = Math.min(100, pauseMs + 5)
    await delay(pauseMs)
  }
  const words = (await newLog().catch(() => '')).split('\n').filter((line) => /FATAL|PANIC|HINT|DETAIL|error/i.test(line))
  throw new Error(`the embedded PostgreSQL did not start: ${words.slice(0, 3).join(' ') || 'no reason given'}`)
}
