// Admin page Status: load error, failing checks with what to do, the last good backup, sources and jobs.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'
import { textsOf } from '#web/testing/see.ts'

const nowMs = Date.parse('2026-11-23T10:30:00Z')
const healthy: SystemStatus = {
  nowMs,
  startedAtMs: nowMs - 3 * 3_600_000,
  checks: [
    { name: 'database', state: 'ok', details: [] },
    { name: 'redis', state: 'off', details: [] },
  ],
  missing: [],
  warnings: [],
  database: { used: 3, idle: 1, max: 10, waiting: 0 },
  live: { sockets: 2345, ready: 0, blocked: 0 },
  hashes: { signIn: { running: 0, waiting: 0 }, other: { running: 0, waiting: 0 } },
  hub: 'here',
  sources: [{ source: 'Kraken', isReal: true, series: 2, stale: 0, ageMs: 120_000, failure: null, isKnown: true }],
  jobs: [{ job: 'sweep', success: 18, skipped: 0, failed: 1, lastSuccessMs: nowMs - 600_000 }],
  mails: { sent: 7, failed: 1, underWay: 0 },
  backup: { baseMs: nowMs - 7_200_000, reachedMs: nowMs - 60_000, verifiedMs: null },
  alerts: { mail: true, telegram: true },
}

function open(status: SystemStatus) {
  answerAdminPages()
  server.on(api.systemStatus.read, () => ({ success: true, data: status }))
  return openPage('/admin/status', { as: 'admin' })
}

/** Elements and their classes, without texts. */
const looksOf = (region: HTMLElement) => [region, ...region.querySelectorAll('*')].map(({ tagName, className }) => [tagName, className])

test('a load error can be retried', async () => {
  answerAdminPages()
  server.reject(api.systemStatus.read, new AppError('internal', anySentence('Of the server')))
  const page = openPage('/admin/status', { as: 'admin' })
  const alert = await page.find('alert')
  await page.see('Of the server', alert)
  server.on(api.systemStatus.read, () => ({ success: true, data: healthy }))
  await page.press('Try again', alert)
  await page.find('region', 'Checks')
})

test('a failing check says what to do, and warnings are listed', async () => {
  const page = open({
    ...healthy,
    checks: [{ name: 'jobs', state: 'failing', details: ['sweep'] }],
    warnings: ['SMTP_TLS is optional'],
    backup: null,
    alerts: { mail: false, telegram: false },
  })
  const checks = await page.find('region', 'Checks')
  expect(textsOf(page.all('listitem', undefined, checks))).toEqual([
    'JobsFailingsweepThe log has the reason.',
    'Settings SMTP_TLS is optional',
  ])
  const [backup, alerts] = [await page.find('region', 'Backup'), await page.find('region', 'Alerts')]
  await page.see("The backup folder can't be read.", backup)
  await page.see('No alerts: set ALERT_EMAIL, or ALERT_TELEGRAM_TOKEN and ALERT_TELEGRAM_CHAT.', alerts)
  expect(looksOf(backup)).toEqual(looksOf(alerts))
})

test('shows checks, the last good backup, figures, sources and jobs', async () => {
  const page = open(healthy)
  const listOf = async (name: string) => textsOf(page.all('listitem', undefined, await page.find('region', name)))
  expect(await listOf('Checks')).toEqual(['DatabaseOK', 'RedisNot configured'])
  expect(await listOf('Backup')).toEqual([
    'Changes saved up to23 Nov 2026, 3:59 PM (1 min)',
    'Last base backup23 Nov 2026, 2:00 PM (2 h)',
    'Last verifiedNever',
  ])
  expect(await listOf('Process')).toEqual(expect.arrayContaining(['Database connections3 of 10', 'Live connections2,345', 'Mails failed1']))
  const rowsOf = async (name: string) => textsOf(page.all('row', undefined, await page.find('table', name)).slice(1))
  expect(await rowsOf('Price sources')).toEqual(['KrakenAnswers202 min'])
  expect(await rowsOf('Jobs')).toEqual(['sweep23 Nov 2026, 3:50 PM (10 min)1801'])
  await page.see('Alerts go to mail and Telegram.')
})
