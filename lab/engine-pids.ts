// The processes of the embedded PostgreSQL of one data directory.
import { chooseOsUser } from '#server/engine/os-user.ts'
import { processesIn } from '#server/engine/data-lock.ts'

/** Their PIDs; empty if none runs or this system does not support it. */
export function enginePids(clusterDir: string): number[] {
  return processesIn(clusterDir, chooseOsUser(clusterDir)) ?? []
}
