// Texts of the admin page Status.
import { texts } from '#shared/text/texts.ts'

const checkNames = {
  database: 'Database',
  writes: 'Writes',
  redis: 'Redis',
  'market-hub': 'Market data hub',
  sources: 'Price sources',
  jobs: 'Jobs',
  mails: 'Mail',
  backup: 'Backup',
} as const

const steps = {
  database: 'Is PostgreSQL running, and is its disk full?',
  writes: 'Pages still open, and nothing is stored: the disk of PostgreSQL is full, or the server only reads.',
  redis: 'Is Redis or Valkey running?',
  'market-hub': 'Start the market gateway, or read its log.',
  sources: 'Admin, Market Data: see the reason beside the series.',
  jobs: 'The log has the reason.',
  mails: 'Test the mail server of SMTP_URL. The log has its answer.',
  backup: 'Is the disk of BACKUP_DIR mounted and not full? The log has the reason.',
} as const

export const systemStatusText = texts('systemStatus', {
  status: 'Status',
  intro: 'State of the process that answered, and of what it depends on.',
  refresh: 'Refresh',
  at: (moment: string) => `As of ${moment}`,
  checks: 'Checks',
  checkNames,
  checkStates: { ok: 'OK', failing: 'Failing', off: 'Not configured', unknown: 'Not known here' },
  steps,
  checkDetails: {
    noSource: 'series without a source',
    sourceFails: (source: string, failure: string | null) =>
      failure === null ? source : failure.startsWith(source) ? failure : `${source}: ${failure}`,
    generated: 'generated prices in place of real ones',
    backupFolder: "the folder can't be read",
    backupChanges: 'changes of the last 5 minutes are not saved',
    backupBase: 'no base backup for 26 hours',
  },
  warnings: 'Settings',

  process: 'Process',
  runningSince: 'Running since',
  connections: 'Database connections',
  connectionsOf: (used: string, max: string) => `${used} of ${max}`,
  waitingConnections: 'Waiting for a connection',
  sockets: 'Live connections',
  blockedSockets: 'Live connections behind',
  signInsWaiting: 'Sign-ins waiting',
  hashesWaiting: 'Other passwords waiting',
  hub: 'Market data hub',
  mailsSent: 'Mails sent',
  mailsFailed: 'Mails failed',
  mailsUnderWay: 'Mails under way',

  backup: 'Backup',
  backupOff: 'No backups: set BACKUP_DIR and BACKUP_KEY.',
  backupUnreadable: "The backup folder can't be read.",
  lastBase: 'Last base backup',
  lastReached: 'Changes saved up to',
  lastVerified: 'Last verified',
  never: 'Never',
  age: (moment: string, age: string) => `${moment} (${age})`,

  sources: 'Price sources',
  sourcesEmpty: 'No series in view, and no source is set up.',
  sourceColumns: { source: 'Source', state: 'State', series: 'Series', stale: 'Stale', age: 'Newest update' },
  noSource: 'No source',
  sourceStates: { works: 'Answers', fails: 'Does not work', unknown: 'Not known here', generated: 'Generated prices' },
  ageUnknown: 'Known by the hub only',
  ageNone: 'Not in view',

  jobs: 'Jobs',
  jobsEmpty: 'No jobs in this process.',
  jobColumns: { job: 'Job', last: 'Last success', success: 'Succeeded', skipped: 'Skipped', failed: 'Failed' },

  alertsTitle: 'Alerts',
  alerts: { both: 'Alerts go to mail and Telegram.', mail: 'Alerts go to mail.', telegram: 'Alerts go to Telegram.' },
  alertsOff: 'No alerts: set ALERT_EMAIL, or ALERT_TELEGRAM_TOKEN and ALERT_TELEGRAM_CHAT.',
})

type CheckName = keyof typeof checkNames

const list = (details: readonly string[]): string => (details.length === 0 ? '' : ` (${details.join(', ')})`)

export interface Check {
  readonly name: CheckName
  readonly details: readonly string[]
}

/** Texts of messages to the operator about failures. */
export const systemAlertsText = texts('systemAlerts', {
  failingSubject: (brand: string, checks: readonly Check[]) =>
    `${brand}: ${checks.map(({ name }) => checkNames[name].toLowerCase()).join(', ')} failing`,
  failingLine: (check: Check, minutes: number) =>
    `${checkNames[check.name]}${list(check.details)} has been failing for ${minutes === 1 ? '1 minute' : `${minutes} minutes`}. ${steps[check.name]}`,
  recoveredSubject: (brand: string) => `${brand}: all checks pass again`,
  recoveredLine: (name: CheckName) => `${checkNames[name]} works again.`,
  testSubject: (brand: string) => `${brand}: test of the alerts`,
  sentBy: (host: string) => `Sent by the Tezi process on ${host}.`,
})
