// The processes of the embedded PostgreSQL of one data directory.
import { chooseOwner } from '#server/db/embedded/owner.ts'
import { processesIn } from '#server/db/embedded/processes.ts'

/** Their numbers; empty when none runs or this system cannot tell. */
export function enginePids(clusterDir: string): number[] {
  return processesIn(clusterDir, chooseOwner(clusterDir)) ?? []
}
