// Who runs PostgreSQL: ourselves, or, because it refuses to run as root, an unprivileged user.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** User and group for the engine's processes; undefined = the user we are. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

/** The overflow user, `nobody` nearly everywhere; present without creating an account. */
const unprivileged = { uid: 65534, gid: 65534 }

/** Chooses the user; as root, data that already has an ordinary owner keeps it. */
export function chooseOwner(clusterDir: string): Owner {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(clusterDir, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : unprivileged
}

export const spawnAs = (owner: Owner): { uid?: number; gid?: number } => (owner ? { uid: owner.uid, gid: owner.gid } : {})

/** Nothing of our environment reaches the engine: no secrets, no PG* variables, no foreign library path. */
export const engineEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }

/** Whether the user can walk to `directory`; false too when we may not become that user. */
export function canReach(owner: Owner, directory: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...spawnAs(owner), cwd: '/', env: engineEnvironment })
  return asked.status === 0
}
