// The databases that a backup folder has backups of. A database has one system identifier from its creation, also after a restore.
import { readEnd } from './archive-end.ts'
import { listArchives, type Archive, type BackupFolder } from './backup-folder.ts'
import { readBaseFacts } from './base-backup.ts'
import { BackupError } from './encrypted-stream.ts'

/** Archives of one system, oldest first. */
const ofSystem = (archives: readonly Archive[], systemId: string): Archive[] => archives.filter((archive) => archive.systemId === systemId)

/**
 * The archives of the only system, or of the wished one.
 * @throws BackupError that describes all systems if there are several and none is wished, or if the wished one is not there
 */
export async function chooseSystem(folder: BackupFolder, archives: readonly Archive[], systemId: string | undefined): Promise<Archive[]> {
  const ids = [...new Set(archives.map((archive) => archive.systemId))]
  const only = systemId ?? (ids.length === 1 ? ids[0] : undefined)
  if (only !== undefined && ids.includes(only)) return ofSystem(archives, only)
  const lines = await describeSystems(folder, archives)
  const found = `${folder.path} has backups of ${ids.length === 1 ? 'one database' : `${ids.length} databases`}:\n${lines.join('\n')}`
  if (systemId !== undefined) throw new BackupError(`there is no backup of database ${systemId}. ${found}`)
  throw new BackupError(`${found}\nWhich one? Say it with --system NUMBER`)
}

/** One line for each system with base backups: its number, its accounts, its newest moment. */
export async function describeSystems(folder: BackupFolder, archives?: readonly Archive[]): Promise<string[]> {
  const known = archives ?? (await listArchives(folder.path)).filter(({ bases }) => bases.length > 0)
  const newest = new Map(known.map((archive) => [archive.systemId, archive]))
  return Promise.all([...newest.values()].map(async (archive) => `  ${archive.systemId}: ${await describe(folder, archive)}`))
}

/** Accounts and newest moment of an archive in words; what cannot be read is said. */
export async function describe(folder: BackupFolder, archive: Archive): Promise<string> {
  try {
    const { atMs, users } = await readEnd(folder, archive)
    return `${users === undefined ? await usersOfBase(folder, archive) : `${usersText(users)}, `}last moment ${new Date(atMs).toISOString()}`
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return error.message
  }
}

/** In archives of earlier versions only base backups say it. */
async function usersOfBase(folder: BackupFolder, { name, bases }: Archive): Promise<string> {
  const base = bases.at(-1)
  if (base === undefined) return ''
  try {
    const count = (await readBaseFacts(folder, name, base)).quiet?.facts.counts['users']
    return count === undefined ? '' : `${usersText(Number(count))} in its newest base backup, `
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return ''
  }
}

/** For example "31 users". */
export const usersText = (count: number): string => `${count} ${count === 1 ? 'user' : 'users'}`
