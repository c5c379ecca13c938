// Chooses the OS user that runs PostgreSQL: our own, or an unprivileged one, because it rejects root.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** User and group of the engine's processes; undefined means our own. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

/** The overflow user, usually `nobody`; exists without creating an account. */
const unprivileged = { uid: 65534, gid: 65534 }

/** Chooses the user; as root, data that already belongs to an ordinary user keeps its owner. */
export function chooseOwner(clusterDir: string): Owner {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(clusterDir, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : unprivileged
}

export const spawnAs = (owner: Owner): { uid?: number; gid?: number } => (owner ? { uid: owner.uid, gid: owner.gid } : {})

/** The engine inherits nothing from our environment: no secrets, no PG* variables, no library path. */
export const engineEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }

/** Whether the user can traverse to `directory`; also false if we may not switch to that user. */
export function canReach(owner: Owner, directory: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...spawnAs(owner), cwd: '/', env: engineEnvironment })
  return asked.status === 0
}
