// Checks that the replica of DATABASE_REPLICA_URL serves reads.
import { failed, ok, type CheckResult } from './check.ts'

/** Reads once from the replica: why it could not serve the read, or undefined. Rejects if the primary does not answer. */
export type ReplicaIssue = () => Promise<string | undefined>

const name = 'replica'

export async function checkReplica(replicaIssue: ReplicaIssue): Promise<CheckResult> {
  try {
    const issue = await replicaIssue()
    if (issue === undefined) return ok(name, 'answers, and has what the database has')
    return failed(name, `it ${issue}`, 'The database serves its reads meanwhile. docs/operating/database.md#replica')
  } catch {
    return failed(name, 'cannot be compared: the database does not answer', 'See the check of the database.')
  }
}
