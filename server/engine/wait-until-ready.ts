// Waits until a newly started PostgreSQL accepts queries.
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type Supervised } from './supervise.ts'

export interface EngineConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** Crash recovery replays at most `max_wal_size`, which takes long on slow disks. */
const readyMsDefault = 120_000

/** Answers to our own attempts while it recovers, which would hide the reason. */
const rejectsClient =
  /the database system is (starting up|not accepting connections|not yet accepting connections|in recovery mode|shutting down)/

/** Resolves after the first query; throws with PostgreSQL's last output if it exits. `newLog` returns its output since this start. */
export async function untilReady(
  connection: EngineConnection,
  run: Supervised,
  options: { newLog: () => Promise<string>; log: (line: string) => void; readyMs?: number | undefined },
): Promise<void> {
  const { newLog, log, readyMs = readyMsDefault } = options
  const started = performance.now()
  const end = { isReached: false }
  void run.ended.catch(() => {}).then(() => (end.isReached = true))
  let reported = false
  let pauseMs = 5
  while (!end.isReached) {
    const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      // It runs but will never accept us.
      if ((error as { code?: string }).code?.startsWith('28')) throw error
      if (performance.now() - started > readyMs)
        throw new Error(`the embedded PostgreSQL was not ready within ${readyMs / 1000} s`, { cause: error })
    } finally {
      await client.end().catch(() => {})
    }
    if (!reported && performance.now() - started > 5000) {
      reported = true
      log('PostgreSQL is still recovering from the last stop')
    }
    // Each attempt costs PostgreSQL a process, so back off while it recovers.
    pauseMs = Math.min(100, pauseMs + 5)
    await delay(pauseMs)
  }
  const words = (await newLog().catch(() => ''))
    .split('\n')
    .filter((line) => /FATAL|PANIC|HINT|DETAIL|error/i.test(line) && !rejectsClient.test(line))
  throw new Error(`the embedded PostgreSQL did not start: ${words.slice(0, 3).join(' ') || 'no reason given'}`)
}
