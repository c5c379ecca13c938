// Makes sure nobody of an earlier run can still write to the data.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Owner } from './owner.ts'
import { answersSignal, processBirth, processesIn } from './processes.ts'

/** A clean stop writes out what is in memory, which a slow disk may make long. */
const predecessorMs = 60_000
/** A clean stop spares the next start a recovery, if it is quick. An immediate one takes a moment; what is left then is frozen. */
const quitAfterMs = 2_000
const killAfterMs = 7_000

/**
 * Waits until no process of an earlier run can write to the data. The caller holds the data lock, so a PostgreSQL that Tezi
 * started has lost its server: it gets two seconds for a clean stop and is then ended without one, which its log makes up for.
 * One that somebody else started is waited for. Removes `postmaster.pid` only when its number has gone to a zombie or a
 * stranger, which PostgreSQL would take for a running server; in every other case PostgreSQL's own checks stay in place.
 */
export async function waitForPredecessor(dataDir: string, owner: Owner, log: (line: string) => void): Promise<void> {
  const file = join(dataDir, 'postmaster.pid')
  const startMs = performance.now()
  let signalled: NodeJS.Signals | undefined
  let said = false
  for (;;) {
    const noted = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    const alive = processesIn(dataDir, owner) ?? (processBirth(noted) === undefined ? [] : [noted])
    if (alive.length === 0) {
      if (Number.isInteger(noted) && answersSignal(noted)) await rm(file, { force: true })
      return
    }
    const waitedMs = performance.now() - startMs
    if (waitedMs > predecessorMs) {
      throw new Error(`a PostgreSQL of an earlier run (pid ${alive[0]}) still uses ${dataDir}; stop it with: kill -INT ${alive[0]}`)
    }
    const signal = waitedMs > killAfterMs ? 'SIGKILL' : waitedMs > quitAfterMs ? 'SIGQUIT' : 'SIGINT'
    const orphans = orphansOf(alive, noted)
    if (orphans[0] !== undefined && signal !== signalled) {
      if (signalled === undefined) log(`ending the PostgreSQL of an earlier run (pid ${orphans[0]})`)
      signalled = signal
      // A postmaster passes a stop on to its children; killed, it cannot.
      for (const pid of signal !== 'SIGKILL' && orphans[0] === noted ? [noted] : orphans) send(pid, signal)
    }
    if (orphans.length === 0 && !said) {
      log(`waiting for the PostgreSQL of an earlier run to leave (pid ${alive[0]})`)
      said = true
    }
    await delay(50)
  }
}

/** Those that have lost their server: a postmaster that Tezi started with its children, or children without a postmaster. */
function orphansOf(alive: readonly number[], postmaster: number): number[] {
  if (alive.includes(postmaster) && !ourSocket.test(commandOf(postmaster))) return []
  // A shell may stand in the folder as well. The postmaster first, which ends the others.
  return alive.filter((pid) => postgresName.test(commandOf(pid))).toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster))
}

/** Nobody but Tezi puts the socket there. */
const ourSocket = /unix_socket_directories="[^"]*(\/socket|\/proc\/self\/fd\/4|\/tezi-\w+)"/
const postgresName = /^([^\0]*\/)?postgres(:|\0|\s|$)/

function commandOf(pid: number): string {
  if (process.platform !== 'linux') return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended, or we may not; then it is waited for.
  }
}
