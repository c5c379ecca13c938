// Processor time of a process and of the machine, on Linux.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Linux clock tick: the unit of /proc/PID/stat. */
const tickMs = 10

/** User and system time of a process so far. */
export function processorMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Time of all processes so far, of all cores. */
export function machineMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys } }) => sum + user + nice + sys, 0)
}
