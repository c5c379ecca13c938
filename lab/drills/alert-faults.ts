// The failures of the alerts drill, with the alerts and messages that each must cause.
import { setTimeout as delay } from 'node:timers/promises'
import type { CheckName } from '#shared/system-status/system-check.ts'
import type { TcpGate } from '#server/testing/tcp-proxy.ts'
import type { Cluster, WebName } from '../chaos/cluster.ts'
import { call } from '../chaos/writers.ts'

export interface AlertSite {
  readonly cluster: Cluster
  /** To the price source of the gateway. */
  readonly exchangeGate: TcpGate
  /** To the mail server of web 2. */
  readonly mailGate: TcpGate
  /** An account of the site. */
  readonly email: string
}

export interface AlertFault {
  readonly name: string
  readonly alerts: readonly string[]
  /** Checks whose failure Tezi itself reports. */
  readonly messages: readonly CheckName[]
  /** Returns the function that ends it. */
  readonly begin: (site: AlertSite) => Promise<() => Promise<void>>
}

/** The process that has an unreachable mail server. */
const second: WebName = 'web 2'
const blockMs = 400
const blockEveryMs = 1_300
const signInsAtOnce = 60

/** Repeats until stopped; the returned function waits for the last run. */
function repeating(run: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) await run()
  })()
  return async () => {
    stopping.abort()
    await running
  }
}

const gatewayFrozen: AlertFault = {
  name: 'gateway frozen',
  alerts: ['TeziDown', 'TeziMarketHubSilent'],
  messages: ['market-hub'],
  async begin({ cluster }) {
    cluster.signal('gateway', 'SIGSTOP')
    return async () => cluster.signal('gateway', 'SIGCONT')
  },
}

const eventLoopBlocked: AlertFault = {
  name: 'event loop blocked for 400 ms at a time',
  alerts: ['TeziEventLoopBusy'],
  messages: [],
  async begin({ cluster }) {
    return repeating(async () => {
      cluster.signal(second, 'SIGSTOP')
      await delay(blockMs)
      cluster.signal(second, 'SIGCONT')
      await delay(blockEveryMs - blockMs)
    })
  },
}

const mailRefused: AlertFault = {
  name: 'mail server refuses',
  alerts: ['TeziMailsFail'],
  messages: ['mails'],
  async begin({ cluster, mailGate, email }) {
    const send = () => call(`${cluster.origin(second)}/api/v1/auth/password-link`, 'POST', { email })
    mailGate.cut()
    const stop = repeating(() => Promise.all([send(), delay(5_000)]))
    return async () => {
      await stop()
      mailGate.open()
      await send()
    }
  },
}

const redisCut: AlertFault = {
  name: 'Redis unreachable',
  alerts: ['TeziRedisMissing'],
  messages: ['redis'],
  async begin({ cluster }) {
    cluster.redisGate.cut()
    return async () => cluster.redisGate.open()
  },
}

const feedCut: AlertFault = {
  name: 'price source unreachable',
  alerts: ['TeziSeriesStale'],
  messages: ['sources'],
  async begin({ exchangeGate }) {
    exchangeGate.cut()
    return async () => exchangeGate.open()
  },
}

/** Each sign-in starts when the one before has its answer. */
function signInsOf({ cluster }: AlertSite): () => Promise<void> {
  const url = `${cluster.origin('web 1')}/api/v1/auth/sign-in`
  const stops = Array.from({ length: signInsAtOnce }, (_, index) =>
    repeating(() => call(url, 'POST', { email: `stranger-${index}@drill.example`, password: 'Wrong-kite-42' })),
  )
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

const signInFlood: AlertFault = {
  name: `${signInsAtOnce} sign-ins at once, without a pause`,
  alerts: ['TeziSignInsWait'],
  messages: [],
  begin: async (site) => signInsOf(site),
}

const usersLocked: AlertFault = {
  name: `table of users locked, ${signInsAtOnce} sign-ins at once`,
  alerts: ['TeziDatabasePoolUsedUp'],
  messages: [],
  async begin(site) {
    const { postgres } = site.cluster
    const locked = postgres.query('begin; lock table users in access exclusive mode; select pg_sleep(3600)').catch(() => undefined)
    const stop = signInsOf(site)
    return async () => {
      await postgres.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(3600)' and pid <> pg_backend_pid()",
      )
      await Promise.all([locked, stop()])
    }
  },
}

const databaseStopped: AlertFault = {
  name: 'database stopped',
  alerts: ['TeziDatabaseMissing'],
  messages: ['database'],
  async begin({ cluster: { postgres } }) {
    await postgres.stop('fast')
    return () => postgres.start()
  },
}

const databaseFrozen: AlertFault = {
  name: 'database frozen',
  alerts: ['TeziDatabaseMissing', 'TeziMetricsIncomplete', 'TeziJobFails', 'TeziServerErrors', 'TeziSlowRequests'],
  messages: ['database'],
  async begin({ cluster: { postgres } }) {
    await postgres.freeze()
    return () => postgres.thaw()
  },
}

/** Failures of a round last at the same time. */
export const alertRounds: readonly (readonly AlertFault[])[] = [
  [redisCut],
  [feedCut, signInFlood],
  [databaseStopped],
  [usersLocked],
  [databaseFrozen],
  [gatewayFrozen, eventLoopBlocked, mailRefused],
]
