// Exclusive use of a data folder: one Tezi process at a time, and no PostgreSQL of an earlier run.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { engineEnvironment, spawnAs, type OsUser } from './os-user.ts'

export interface DataLock {
  release(): Promise<void>
}

const heartbeatMs = 500
/** How long a claim from another machine or container is watched for a heartbeat. */
const foreignWatchMs = 2000
/** Time that two simultaneous starts need to see each other. */
const raceMs = 3000

/** Another process uses the same data. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse'
}

/**
 * Locks the directory for this process or throws `DataInUse`: each writes a claim file, which is valid while its process lives.
 *
 * Each process first writes its claim and then looks for others, so in a race at least one sees the other and both cannot
 * succeed. Claim names identify a process uniquely, so removing a stale one is always safe: another process's new claim
 * can never be deleted by mistake.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const directory = join(dataDir, 'lock')
  await mkdir(directory, { recursive: true })
  const ownClaim = `${process.pid}_${processBirth(process.pid) ?? 'unknown'}_${processSpace()}_${randomUUID().slice(0, 8)}`
  const file = join(directory, ownClaim)
  await writeFile(file, '', { flag: 'wx' })
  try {
    const deadline = performance.now() + raceMs
    for (;;) {
      const others = await livingClaims(directory, ownClaim)
      if (others.length === 0) break
      // An existing holder wins. Among newcomers the smallest name wins.
      const stronger = others.find((claim) => claim.isHolder || claim.name < ownClaim || performance.now() > deadline)
      if (stronger) throw new DataInUse(inUseLine(dataDir, stronger))
      await delay(20)
    }
    await writeFile(file, 'held')
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => {})
  }, heartbeatMs)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      await rm(file, { force: true })
    },
  }
}

interface Claim {
  readonly name: string
  readonly pid: number
  readonly isHolder: boolean
  /** Made in another container or before the last boot, where PIDs are not comparable. */
  readonly foreign: boolean
}

async function livingClaims(directory: string, ownClaim: string): Promise<Claim[]> {
  const space = processSpace()
  const claims: Claim[] = []
  for (const name of await readdir(directory)) {
    const [pidText, birth, claimSpace, nonce] = name.split('_')
    const pid = Number(pidText)
    if (name === ownClaim || nonce === undefined || !Number.isInteger(pid)) continue
    const file = join(directory, name)
    const foreign = claimSpace !== space
    const alive = foreign ? await showsHeartbeat(file) : processBirth(pid) === birth
    if (!alive) await rm(file, { force: true })
    else claims.push({ name, pid, isHolder: (await readFile(file, 'utf8').catch(() => '')) === 'held', foreign })
  }
  return claims
}

async function showsHeartbeat(file: string): Promise<boolean> {
  const beatAt = () =>
    stat(file).then(
      (found) => found.mtimeMs,
      () => undefined,
    )
  const first = await beatAt()
  const deadline = performance.now() + foreignWatchMs
  while (performance.now() < deadline) {
    const now = await beatAt()
    if (now === undefined) return false
    if (now !== first) return true
    await delay(100)
  }
  return false
}

function inUseLine(dataDir: string, claim: Claim): string {
  if (claim.foreign) return `${dataDir} is in use by another Tezi process (pid ${claim.pid} in another container or machine)`
  if (claim.pid === process.pid) return `${dataDir} is in use already by this process (pid ${claim.pid})`
  return `${dataDir} is in use by another Tezi process (pid ${claim.pid})`
}

/** A clean stop flushes memory to disk, which may take long on a slow disk. */
const staleProcessMs = 60_000
/** A clean stop avoids a recovery at the next start, if it is quick. An immediate one takes a moment; what remains is frozen. */
const quitAfterMs = 2_000
const killAfterMs = 7_000

/**
 * Waits until no process of an earlier run can write to the data. The caller holds the data lock, so a PostgreSQL that Tezi
 * started has lost its server: it gets two seconds for a clean stop and is then killed, after which its log recovers the data.
 * One started by other software is waited for. Removes `postmaster.pid` only if its PID belongs to a zombie or an
 * unrelated process, which PostgreSQL would take for a running server; otherwise PostgreSQL's own checks apply.
 */
export async function waitForStaleProcess(dataDir: string, owner: OsUser, log: (line: string) => void): Promise<void> {
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
    if (waitedMs > staleProcessMs) {
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

/**
 * An identity that differs between two processes that got the same PID one after the other.
 * Returns undefined if there is no such process. A zombie counts as gone: where process 1 reaps slowly, zombies keep
 * their PID for minutes and would look alive.
 */
export function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
    } catch {
      return undefined
    }
  }
  if (!answersSignal(pid)) return undefined
  if (process.platform === 'win32') return 'unknown'
  const shown = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  if (shown === '' || shown.startsWith('Z')) return undefined
  return createHash('sha256')
    .update(shown.replace(/^\S+\s+/, ''))
    .digest('hex')
    .slice(0, 12)
}

/** True if a signal can be sent to this PID, zombies included: the check that PostgreSQL itself uses. */
function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Identifies the PID namespace: one boot of one machine, one container in it. */
export function processSpace(): string {
  if (process.platform !== 'linux') return hostname().replaceAll(/[^a-zA-Z0-9]/g, '')
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return `${boot}${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`
}

/**
 * PIDs of live processes whose working directory is `directory`. Every PostgreSQL process of a cluster works in its data
 * directory, so an empty result means that none can still write there. Undefined if this system does not support it.
 */
export function processesIn(directory: string, owner: OsUser): number[] | undefined {
  if (process.platform !== 'linux') return undefined
  // Runs as the engine's user from inside the directory: in a container even root may not inspect another user's
  // processes. The shell must find itself, otherwise the result is invalid.
  const script = 'echo $$; for p in /proc/[0-9]*; do [ "$p/cwd" -ef . ] && echo "${p#/proc/}"; done; exit 0'
  const result = spawnSync('/bin/sh', ['-c', script], { ...spawnAs(owner), cwd: directory, env: engineEnvironment, encoding: 'utf8' })
  const [self, ...found] = (result.stdout ?? '').split('\n').filter(Boolean).map(Number)
  if (self === undefined || !found.includes(self)) return undefined
  return found.filter((pid) => pid !== self)
}
