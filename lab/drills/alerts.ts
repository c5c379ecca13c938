// Brings on failures, and measures when Prometheus' alerts and Tezi's own messages begin and end.
// Run: node lab/drills/alerts.ts [--divide 1] [--only PATTERN] [--resolve-minutes 20]
// Needs prometheus and promtool (Debian: prometheus). About an hour with the committed times; --divide 5 makes all times of
// the rules and the scrape interval shorter, --only takes the failures whose names match. A round waits for the end of the alerts
// and messages of the one before, and for that of its own alerts, at most --resolve-minutes.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { helloOf, livePath } from '#shared/market-data/live/protocol.ts'
import { freePort } from '#server/testing/own-postgres.ts'
import { tcpGate } from '#server/testing/tcp-proxy.ts'
import { Cluster, webNames, type Program } from '../chaos/cluster.ts'
import type { Session } from '../chaos/watchers.ts'
import { call, openSession, signUp } from '../chaos/writers.ts'
import { Drill } from '../drill.ts'
import { alertRounds, type AlertFault, type AlertSite } from './alert-faults.ts'
import { startAlertReceivers } from './alert-receivers.ts'
import { AlertTimes } from './alert-times.ts'
import { startExchange } from './exchange.ts'
import { hasPrometheus, startPrometheus } from './prometheus.ts'

const { values } = parseArgs({
  options: {
    divide: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    'resolve-minutes': { type: 'string', default: '20' },
  },
})
if (!hasPrometheus()) {
  console.log('Not run: prometheus is not installed')
  process.exit()
}
const rulesFile = path.resolve(import.meta.dirname, '../../deploy/prometheus/alerts.test.yml')
const fireLimitMs = 15 * 60_000
const resolveLimitMs = Number(values['resolve-minutes']) * 60_000
const calmMs = 20_000
const loadEveryMs = 200
const email = 'asha@drill.example'
const series = 'btc-usdt'

const drill = new Drill()
promtool('check', 'rules', path.join(path.dirname(rulesFile), 'alerts.yml'))
promtool('test', 'rules', rulesFile)

const exchange = await startExchange(series)
const receivers = await startAlertReceivers()
const exchangeGate = await tcpGate('127.0.0.1', exchange.port)
const mailGate = await tcpGate('127.0.0.1', Number(new URL(receivers.smtpUrl).port))
const programs = [...webNames, 'gateway'] as const
const metricsPorts = new Map<Program, number>()
for (const name of programs) metricsPorts.set(name, await freePort())
const cluster = await Cluster.start({ settings: settingsOf })
const prometheus = await startPrometheus({
  folder: cluster.folder,
  targets: [...metricsPorts.values()].map((port) => `127.0.0.1:${port}`),
  divideBy: Number(values.divide),
})
const site: AlertSite = { cluster, exchangeGate, mailGate, email }
const all: AlertTimes[] = []
let loadTimer: NodeJS.Timeout | undefined
let pollTimer: NodeJS.Timeout | undefined
try {
  await begin()
  const rounds = alertRounds.map((round) => round.filter(({ name }) => new RegExp(values.only).test(name)))
  for (const [index, round] of rounds.entries()) await run(round, rounds[index + 1] ?? [])
  console.table(all.flatMap((times) => times.rows()))
} catch (error) {
  drill.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  clearInterval(loadTimer)
  clearInterval(pollTimer)
  await prometheus.stop()
  await cluster.stop()
  receivers.stop()
  await Promise.all([exchangeGate.close(), mailGate.close()])
  exchange.stop()
}
const missing = all.flatMap(({ fault, missing }) => missing.map((name) => `${fault.name}: ${name} was not noticed`))
drill.problems.push(...missing, ...cluster.unexpected)
process.exit(drill.summarize() ? 0 : 1)

/** Signs in, opens a chart on each web process, and sends requests to both. */
async function begin(): Promise<void> {
  const origins = webNames.map((name) => cluster.origin(name))
  await signUp(origins[0] ?? '', email)
  // Links are mailed to confirmed addresses only, and the instrument is premium.
  await cluster.postgres.query(
    "update users set email_confirmed_at = now(), status = 'paid', premium_start = now(), premium_end = now() + interval '1 year', subscription_months = 12",
  )
  const session = await openSession(origins[0] ?? '', email)
  for (const origin of origins) watch(origin, session)
  let count = 0
  loadTimer = setInterval(() => {
    count += 1
    const origin = origins[count % origins.length] ?? ''
    void call(`${origin}${basePath}/user`, 'GET', undefined, { cookie: session.cookie, 'session-token': session.token })
  }, loadEveryMs)
  let isPolling = false
  pollTimer = setInterval(() => {
    if (isPolling) return
    isPolling = true
    void prometheus
      .alerts()
      .then((active) => all.forEach((times) => times.observe(active, receivers.messages)))
      .catch((error: unknown) => drill.problems.push(String(error)))
      .finally(() => (isPolling = false))
  }, 1_000)
  await delay(calmMs)
  const isCalm = await until(async () => (await prometheus.alerts()).length === 0, 60_000)
  if (!isCalm) drill.problems.push(`active before any failure: ${await activeNames()}`)
  drill.log('all are ready')
}

/** All failures of a round at once, until each alert and message has begun, then ended, and none of the next round is active. */
async function run(round: readonly AlertFault[], next: readonly AlertFault[]): Promise<void> {
  if (round.length === 0) return
  const roundName = round.map(({ name }) => name).join(', ')
  drill.log(`begin: ${roundName}`)
  const running = await Promise.all(round.map(async (fault) => ({ times: new AlertTimes(fault), end: await fault.begin(site) })))
  all.push(...running.map(({ times }) => times))
  await Promise.all(
    running.map(async ({ times, end }) => {
      await until(() => times.missing.length === 0, fireLimitMs)
      await end()
      times.end()
      drill.log(`end: ${times.fault.name}${times.missing.length === 0 ? '' : `; not noticed: ${times.missing.join(', ')}`}`)
    }),
  )
  const names = new Set(next.flatMap(({ alerts }) => alerts))
  const isCalm = async () =>
    running.every(({ times }) => times.lasting.length === 0) &&
    (await prometheus.alerts()).every(({ labels }) => !names.has(labels.alertname))
  if (!(await until(isCalm, resolveLimitMs))) drill.problems.push(`still active after ${roundName}: ${await activeNames()}`)
  await delay(calmMs)
}

async function activeNames(): Promise<string> {
  return (await prometheus.alerts()).map(({ labels, state }) => `${labels.alertname} ${state}`).join(', ')
}

/** A page with a chart, which reconnects. */
function watch(origin: string, session: Session): void {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${basePath}${livePath}`, { headers: { cookie: session.cookie } })
  socket.on('open', () => socket.send(JSON.stringify(helloOf(session.token))))
  socket.on('message', (data: Buffer) => {
    if (data.toString('latin1', 0, 12).startsWith('{"t":"ready"'))
      socket.send(JSON.stringify({ t: 'sub', id: 1, slug: series, timeframe: '1', bars: 60 }))
  })
  socket.on('error', () => {})
  socket.on('close', () => setTimeout(() => watch(origin, session), 1_000).unref())
}

function settingsOf(name: Program): Record<string, string> {
  const urls = { restUrl: `http://127.0.0.1:${exchangeGate.port}`, socketUrl: `ws://127.0.0.1:${exchangeGate.port}` }
  const common = {
    METRICS_PORT: String(metricsPorts.get(name)),
    MARKET_SOURCES: 'binance',
    MARKET_URLS: JSON.stringify({ binance: urls }),
    MARKET_DEMO: 'off',
    PASSWORD_HASHES: 'standard',
    SMTP_TLS: 'optional',
  }
  if (name === 'gateway') return common
  const telegram = { ALERT_TELEGRAM_URL: receivers.telegramUrl, ALERT_TELEGRAM_TOKEN: '1:drill', ALERT_TELEGRAM_CHAT: '-1' }
  if (name === 'web 1') return { ...common, SMTP_URL: receivers.smtpUrl, ALERT_EMAIL: 'operator@drill.example' }
  return {
    ...common,
    ...telegram,
    SMTP_URL: `smtp://127.0.0.1:${mailGate.port}`,
  }
}

/** True if it becomes true in time. */
async function until(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const beginMs = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - beginMs > limitMs) return false
    await delay(250)
  }
  return true
}

function promtool(...args: readonly string[]): void {
  const { status, stdout } = spawnSync('promtool', [...args], { encoding: 'utf8' })
  if (status !== 0) drill.problems.push(`promtool ${args.slice(0, 2).join(' ')}: ${stdout}`)
}
