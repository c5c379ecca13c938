// The cases that backups are for, each as an operator meets it: is everything there that was acknowledged and archived, or does
// the command say what is missing and end with an error?
// Run: node lab/drills/backups.ts [lost-folder] [rolled-back] [clean-stop] [damaged-base] [clock-jump]
import { spawnSync } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listArchives } from '#server/backup/backup-folder.ts'
import { Drill } from '../drill.ts'
import { endProcess, hasEnded, spawnServer } from '../server-process.ts'
import { BackupSite, damage, type Outcome } from './backup-site.ts'

const drill = new Drill()
const cases: Readonly<Record<string, (site: BackupSite) => Promise<void>>> = {
  'lost-folder': lostFolder,
  'rolled-back': rolledBack,
  'clean-stop': cleanStop,
  'damaged-base': damagedBase,
  'clock-jump': clockJump,
}
const names = process.argv.slice(2)
const unknown = names.filter((name) => cases[name] === undefined)
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; known: ${Object.keys(cases).join(', ')}`)
for (const [name, run] of Object.entries(cases)) {
  if (names.length > 0 && !names.includes(name)) continue
  drill.log(`--- ${name}`)
  await drill.round(name, async () => {
    const site = await BackupSite.create(name)
    try {
      await run(site)
    } finally {
      await site.close()
    }
  })
}
if (!drill.summarize()) process.exitCode = 1

/** kill -9, the data folder is gone, the service manager starts Tezi again. */
async function lostFolder(site: BackupSite): Promise<void> {
  await site.start()
  await site.signUp(31)
  await site.untilCopied()
  await site.stop('SIGKILL')
  await site.loseData()
  if (await startsAgain(site)) {
    drill.problems.push('lost-folder: Tezi starts with an empty database beside the backups')
    const [first] = await listArchives(site.backupDir)
    await site.untilArchived(
      'the first backup of the empty database',
      ({ bases, systemId }) => bases.length > 0 && systemId !== first?.systemId,
    )
    await site.stop()
    await site.loseData()
  } else await rm(site.dataDir, { recursive: true, force: true })
  await requireAll('lost-folder', site, await site.tezi('restore'))
}

/** As systemd does it: three starts, each judged by whether the server serves. */
async function startsAgain(site: BackupSite): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { child, address, output } = spawnServer(site.dataDir, site.environment)
    while (!hasEnded(child)) {
      const isReady = await fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) {
        await delay(5_000)
        await endProcess(child, 'SIGTERM')
        await site.start()
        return true
      }
      await delay(100)
    }
    drill.log(`lost-folder: the start is refused: ${output().trim().split('\n').at(-1)}`)
  }
  return false
}

/** The data folder is replaced by an older copy of itself while the share of the backups is away; the site goes on. */
async function rolledBack(site: BackupSite): Promise<void> {
  await site.start()
  await site.signUp(5)
  await site.untilCopied()
  await site.stop()
  const copy = path.join(site.root, 'copy')
  // With the owners of the files, which the engine insists on.
  spawnSync('cp', ['--archive', site.dataDir, copy])
  await site.start()
  await site.signUp(3, false)
  await site.untilCopied()
  await site.stop('SIGKILL')
  await site.loseData()
  await rename(copy, site.dataDir)

  const share = `${site.backupDir}-away`
  await rename(site.backupDir, share)
  // Not a folder, so that nothing is written in its place.
  await writeFile(site.backupDir, '')
  await site.start()
  await site.signUp(65)
  await rm(site.backupDir)
  await rename(share, site.backupDir)
  await site.untilCopied()
  await delay(5_000)
  await site.stop()
  await site.loseData()
  const verified = await site.tezi('verify-backup')
  drill.log(`rolled-back: verify-backup ends with ${verified.code}: ${lastLine(verified)}`)
  await requireAll('rolled-back', site, await site.tezi('restore'))
}

/** The page's way: stop Tezi, move the folder away, restore. */
async function cleanStop(site: BackupSite): Promise<void> {
  await site.start()
  await site.untilCopied()
  await site.signUp(3)
  await site.stop()
  await site.loseData()
  await requireAll('clean-stop', site, await site.tezi('restore'))
}

/** The newest base backup, then also the facts of it, cannot be read. */
async function damagedBase(site: BackupSite): Promise<void> {
  await site.start()
  await site.signUp(5)
  await site.untilCopied()
  const taken = await site.tezi('backup')
  if (taken.code !== 0) throw new Error(taken.output)
  await site.signUp(5)
  await site.untilCopied()
  await site.stop()
  for (const part of ['data', 'facts']) {
    const archive = (await listArchives(site.backupDir)).at(-1)
    const newest = path.join(site.backupDir, archive?.name ?? '', archive?.bases.at(-1) ?? '')
    await damage(path.join(newest, part))
    await site.loseData()
    await requireAll(`damaged-base (${part})`, site, await site.tezi('restore'))
  }
}

/** The clock of the machine is 20 days ahead for 70 seconds. */
async function clockJump(site: BackupSite): Promise<void> {
  await site.start()
  await site.signUp(3)
  await site.untilCopied()
  await site.tezi('backup')
  const before = await basesOf(site)
  await site.stop()
  const ahead =
    'const Real = Date; const by = 20 * 86400000; globalThis.Date = class extends Real { constructor(...a) { a.length === 0 ? super(Real.now() + by) : super(...a) } static now() { return Real.now() + by } }'
  await site.start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` })
  await delay(70_000)
  await site.stop()
  await site.start()
  await site.signUp(3)
  await site.untilCopied()
  await site.stop()
  const after = await basesOf(site)
  const lost = before.filter((name) => !after.includes(name))
  if (lost.length > 0) drill.problems.push(`clock-jump: ${lost.length} of ${before.length} base backups were removed`)
  await site.loseData()
  await requireAll('clock-jump', site, await site.tezi('restore'))
}

async function basesOf({ backupDir }: BackupSite): Promise<string[]> {
  return (await listArchives(backupDir)).flatMap(({ name, bases }) => bases.map((base) => `${name}/${base}`))
}

async function requireAll(what: string, site: BackupSite, outcome: Outcome): Promise<void> {
  drill.log(`${what}: restore ends with ${outcome.code}: ${lastLine(outcome)}`)
  if (outcome.code !== 0) {
    drill.problems.push(`${what}: nothing was restored:\n${outcome.output}`)
    return
  }
  const missing = await site.missing()
  const figure = `${site.acknowledged.length - missing.length} of ${site.acknowledged.length}`
  drill.figures[`${what}, restored accounts`] = figure
  if (missing.length > 0) drill.problems.push(`${what}: ${missing.length} accounts are missing, without a word: ${lastLine(outcome)}`)
}

function lastLine({ output }: Outcome): string {
  return output.trim().split('\n').slice(-2).join(' ')
}
