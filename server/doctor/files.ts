// Checks of the data folder, the secret key and the file of settings: owner and permissions.
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { failed, ok, type CheckResult } from './check.ts'

export interface FilesOptions {
  readonly dataDir: string
  /** Effective user id of the server's user; undefined on systems without user ids. */
  readonly uid: number | undefined
  /** True if SECRET_KEY is set. */
  readonly hasSecretKey: boolean
  /** The file that settings were read from. */
  readonly settingsFile: string | undefined
}

/** Results for the data folder, the secret key and, if there is one, the file of settings. */
export async function checkFiles(options: FilesOptions): Promise<CheckResult[]> {
  return [await checkDataFolder(options), await checkSecretKey(options), ...(await checkSettingsFile(options.settingsFile))]
}

async function checkDataFolder({ dataDir, uid }: FilesOptions): Promise<CheckResult> {
  const name = 'data folder'
  const folder = path.resolve(dataDir)
  const found = await stat(folder).catch(undefinedIfMissing)
  if (found === undefined) {
    const parent = await existingParent(folder)
    return (await canWrite(parent))
      ? ok(name, `${folder} does not exist yet; the first start creates it`)
      : failed(name, `${folder} does not exist and cannot be created in ${parent}`, `Create it and give it to the user of Tezi (chown).`)
  }
  if (!found.isDirectory()) return failed(name, `${folder} is not a folder`, 'Set DATA_DIR to a folder.')
  // As root, the embedded PostgreSQL runs as another user, who owns its part.
  if (uid !== undefined && uid !== 0 && found.uid !== uid)
    return failed(
      name,
      `${folder} belongs to user id ${found.uid}, not ${uid}`,
      `Run this as the user of Tezi, or: chown -R <user> ${folder}`,
    )
  if (!(await canWrite(folder)))
    return failed(name, `${folder} cannot be written`, 'Mount the disk for writing, or correct owner and mode.')
  if ((found.mode & 0o022) !== 0) return failed(name, `other users can write into ${folder}`, `chmod go-w ${folder}`)
  return ok(name, folder)
}

async function checkSecretKey({ dataDir, hasSecretKey }: FilesOptions): Promise<CheckResult> {
  const name = 'secret key'
  if (hasSecretKey) return ok(name, 'SECRET_KEY is set; keep a copy outside this machine')
  const file = path.resolve(dataDir, 'secret-key')
  const found = await stat(file).catch(undefinedIfMissing)
  if (found === undefined) return ok(name, `the first start creates ${file}`)
  if ((found.mode & 0o077) !== 0) return failed(name, `other users can read ${file}`, `chmod 600 ${file}, then consider a rotation.`)
  return ok(name, `${file}; keep a copy outside this machine`)
}

async function checkSettingsFile(file: string | undefined): Promise<CheckResult[]> {
  if (file === undefined) return []
  const name = 'settings file'
  const { mode } = await stat(file)
  if ((mode & 0o007) !== 0) return [failed(name, `all users can read ${file}, which may hold passwords`, `chmod 640 ${file}`)]
  return [ok(name, file)]
}

function canWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function existingParent(folder: string): Promise<string> {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if ((await stat(at).catch(undefinedIfMissing)) !== undefined || at === path.dirname(at)) return at
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
