// Process information from the OS: whether a process runs, and which ones have a given working directory.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { engineEnvironment, spawnAs, type Owner } from './os-user.ts'

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
export function answersSignal(pid: number): boolean {
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
export function processesIn(directory: string, owner: Owner): number[] | undefined {
  if (process.platform !== 'linux') return undefined
  // Runs as the engine's user from inside the directory: in a container even root may not inspect another user's
  // processes. The shell must find itself, otherwise the result is invalid.
  const script = 'echo $$; for p in /proc/[0-9]*; do [ "$p/cwd" -ef . ] && echo "${p#/proc/}"; done; exit 0'
  const asked = spawnSync('/bin/sh', ['-c', script], { ...spawnAs(owner), cwd: directory, env: engineEnvironment, encoding: 'utf8' })
  const [self, ...found] = (asked.stdout ?? '').split('\n').filter(Boolean).map(Number)
  if (self === undefined || !found.includes(self)) return undefined
  return found.filter((pid) => pid !== self)
}
