// The operator commands: `npx tezi COMMAND` on the machine of the database, with the server's environment variables.
import { keepAlive } from './operator/keep-alive.ts'

const commands: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<void>>>> = {
  config: async () => (await import('./operator/config.ts')).showConfig,
  doctor: async () => (await import('./operator/doctor.ts')).runDoctor,
  'test-alert': async () => (await import('./operator/test-alert.ts')).testAlert,
  'admin reset-password': async () => (await import('./operator/admin.ts')).resetPassword,
  'admin reset-two-factor': async () => (await import('./operator/admin.ts')).resetTwoFactor,
  'import candles': async () => (await import('./operator/import-candles.ts')).importCandles,
  'import calendar': async () => (await import('./operator/import-calendar.ts')).importCalendar,
  'verify-candles': async () => (await import('./operator/verify-candles.ts')).verifyStoredCandles,
  backup: async () => (await import('./operator/backup.ts')).takeBackup,
  'list-backups': async () => (await import('./operator/backup.ts')).listBackups,
  'verify-backup': async () => (await import('./operator/backup.ts')).verify,
  restore: async () => (await import('./operator/restore.ts')).restoreBackup,
  'finish-restore': async () => (await import('./operator/restore.ts')).finishRestore,
  'new-database': async () => (await import('./operator/database.ts')).newDatabase,
  'upgrade-database': async () => (await import('./operator/database.ts')).upgradeEmbedded,
  'move-database': async () => (await import('./operator/database.ts')).moveToServer,
}

const usage = `Usage: npx tezi COMMAND

  config                                show all settings, where each comes from, and misspelt ones
  doctor [--json]                       check this machine and its configuration, and say what to do
  test-alert                            send a message to ALERT_EMAIL and by Telegram
  admin reset-password EMAIL            set a temporary password and end all sessions
  admin reset-two-factor EMAIL          remove all second factors and end all sessions
  import candles FILE [--series NAME] [--step 1m]
                                        store a file of candles, for example nifty.1m.csv
  import calendar FILE [--check]        import the holiday list of NSE or BSE, or only show what it changes
  backup                                take an encrypted backup, also while the server runs
  list-backups                          show all backups and the moments they reach
  verify-backup [NAME]                  restore a backup into a scratch folder and compare its content
  restore [--to TIME] [--system NUMBER] [--from BASE]
                                        restore the newest state, or that of a moment, into an empty DATA_DIR
  new-database                          make an empty database beside the backups of another one
  finish-restore [--to TIME]            after a restore of your own PostgreSQL server: repeat erasures and end sessions
  upgrade-database [--program FOLDER]   move the embedded database to the PostgreSQL of this version of Tezi
  upgrade-database --confirm            delete the database that the upgrade has kept
  move-database --to URL                copy the embedded database into an empty one of your own PostgreSQL server
  verify-candles [--no-repair]          check all stored candles, repair what the sources still have

Commands use the database of DATABASE_URL or DATA_DIR, as the server does. File names are relative to Tezi's folder.`

const words = process.argv.slice(2)
/** A command is one word or two. */
const length = commands[words[0] ?? ''] === undefined ? 2 : 1
const load = commands[words.slice(0, length).join(' ')]
const args = words.slice(length)
if (load === undefined) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    const run = await load()
    await keepAlive(() => run(args))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
