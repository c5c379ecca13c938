// Makes sure nobody of an earlier run can still write to the data.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Owner } from './owner.ts'
import { answersSignal, processBirth, processesIn } from './processes.ts'

/** A clean stop writes out what is in memory, which a slow disk may make long. */
const predecessorMs = 60_000

/**
 * Waits until no process of an earlier run can write to the data. A live one is never killed: it is on its way out, or
 * somebody else's. Removes `postmaster.pid` only when its number has gone to a zombie or a stranger, which PostgreSQL
 * would take for a running server; in every other case PostgreSQL's own checks stay in place.
 */
export async function waitForPredecessor(dataDir: string, owner: Owner, log: (line: string) => void): Promise<void> {
  const file = join(dataDir, 'postmaster.pid')
  const deadline = Date.now() + predecessorMs
  let said = false
  for (;;) {
    const noted = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    const alive = processesIn(dataDir, owner) ?? (processBirth(noted) === undefined ? [] : [noted])
    if (alive.length === 0) {
      if (Number.isInteger(noted) && answersSignal(noted)) await rm(file, { force: true })
      return
    }
    if (Date.now() > deadline) {
      throw new Error(`a PostgreSQL of an earlier run (pid ${alive[0]}) still uses ${dataDir}; stop it with: kill -INT ${alive[0]}`)
    }
    if (!said) log(`waiting for the PostgreSQL of an earlier run to leave (pid ${alive[0]})`)
    said = true
    await delay(50)
  }
}
