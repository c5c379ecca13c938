// Waits for a server that replays WAL: until the end of the recovery it accepts connections, but nothing can be written.
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../engine/connect.ts'

const askMs = 500

/** Resolves when the server of `databaseUrl` can be written to; immediately for one that does not recover. @throws Error if it does not answer */
export async function untilRecovered(databaseUrl: string, log: (line: string) => void): Promise<void> {
  const client = await connect({ connectionString: databaseUrl })
  try {
    for (let asked = 0; ; asked += 1) {
      const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
      if (rows[0]?.recovers !== true) return
      if (asked === 0) log('PostgreSQL is still recovering')
      await delay(askMs)
    }
  } finally {
    await client.end()
  }
}
