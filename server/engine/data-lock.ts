// One process per data directory: each writes a claim file, which is valid while its process lives.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processBirth, processSpace } from './processes.ts'

export interface DataLock {
  release(): Promise<void>
}

const heartbeatMs = 500
/** How long a claim from another machine or container is watched for a heartbeat. */
const foreignWatchMs = 2000
/** Time that two simultaneous starts need to see each other. */
const raceMs = 3000

/** Another process uses the same data. */
class DataInUse extends Error {
  override readonly name = 'DataInUse'
}

/**
 * Locks the directory for this process or throws `DataInUse`.
 *
 * Each process first writes its claim and then looks for others, so in a race at least one sees the other and both cannot
 * succeed. Claim names identify a process uniquely, so removing a stale one is always safe: another process's new claim
 * can never be deleted by mistake.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const directory = join(dataDir, 'lock')
  await mkdir(directory, { recursive: true })
  const mine = `${process.pid}_${processBirth(process.pid) ?? 'unknown'}_${processSpace()}_${randomUUID().slice(0, 8)}`
  const file = join(directory, mine)
  await writeFile(file, '', { flag: 'wx' })
  try {
    const deadline = performance.now() + raceMs
    for (;;) {
      const others = await livingClaims(directory, mine)
      if (others.length === 0) break
      // An existing holder wins. Among newcomers the smallest name wins.
      const stronger = others.find((claim) => claim.held || claim.name < mine || performance.now() > deadline)
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
  readonly held: boolean
  /** Made in another container or before the last boot, where PIDs are not comparable. */
  readonly foreign: boolean
}

async function livingClaims(directory: string, mine: string): Promise<Claim[]> {
  const space = processSpace()
  const claims: Claim[] = []
  for (const name of await readdir(directory)) {
    const [pidText, birth, claimSpace, nonce] = name.split('_')
    const pid = Number(pidText)
    if (name === mine || nonce === undefined || !Number.isInteger(pid)) continue
    const file = join(directory, name)
    const foreign = claimSpace !== space
    const alive = foreign ? await showsHeartbeat(file) : processBirth(pid) === birth
    if (!alive) await rm(file, { force: true })
    else claims.push({ name, pid, held: (await readFile(file, 'utf8').catch(() => '')) === 'held', foreign })
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
