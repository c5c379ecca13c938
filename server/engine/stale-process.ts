// Ensures that no process of an earlier run can still write to the data.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Owner } from './os-user.ts'
import { answersSignal, processBirth, processesIn } from './processes.ts'

/** A clean stop flushes memory to disk, which may take long on a slow disk. */
const predecessorMs = 60_000
/** A clean stop avoids a recovery at the next start, if it is quick. An immediate one takes a moment; what remains is frozen. */
const quitAfterMs = 2_000
const killAfterMs = 7_000

/**
 * Waits until no process of an earlier run can write to the data. The caller holds the data lock, so a PostgreSQL that Tezi
 * started has lost its server: it gets two seconds for a clean stop and is then killed, after which its log recovers the data.
 * One started by other software is waited for. Removes `postmaster.pid` only if its PID belongs to a zombie or an
 * unrelated process, which PostgreSQL would take for a running server; otherwise PostgreSQL's own checks apply.
 */
export async function waitForPredecessor(dataDir: string, owner: Owner, log: (line: string) => void): Promise<void> {
  const file = join(dataDir, 'postmaster.pid')
  const startMs = performance.now()
  let signalled: NodeJS.Signals | undefined
  let reported = false
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
      // A postmaster forwards a stop to its children, but not when killed.
      for (const pid of signal !== 'SIGKILL' && orphans[0] === noted ? [noted] : orphans) send(pid, signal)
    }
    if (orphans.length === 0 && !reported) {
      log(`waiting for the PostgreSQL of an earlier run to leave (pid ${alive[0]})`)
      reported = true
    }
    await delay(50)
  }
}

/** Processes without their server: a postmaster started by Tezi with its children, or children without a postmaster. */
function orphansOf(alive: readonly number[], postmaster: number): number[] {
  if (alive.includes(postmaster) && !ourSocket.test(commandOf(postmaster))) return []
  // A shell may have this working directory as well. The postmaster comes first, because it stops the others.
  return alive.filter((pid) => postgresName.test(commandOf(pid))).toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster))
}

/** Only Tezi puts the socket there. */
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
    // It has just ended, or we lack the permission; then it is waited for.
  }
}
