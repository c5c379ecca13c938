// The use cases of a user's own broker: connect, log in again each day, see, disconnect. Each change is a row of the audit log.
import { minuteMs } from '#shared/base/durations.ts'
import { brokerReturnPath, type BrokerName, type BrokerState } from '#shared/brokers/contract.ts'
import { kiteSessionEndMs } from '#shared/brokers/session-end.ts'
import { AppError } from '#shared/http/errors.ts'
import { brokersText as text } from '#shared/text/en/brokers.ts'
import type { Db } from '#server/db/database.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import type { SecretBox } from '#server/secret-box.ts'
import { writeAudit, type AuditAction } from '#server/features/audit/audit.ts'
import type { Caller, CurrentSession } from '#server/features/auth/service.ts'
import type { BrokerAccounts, KiteApp, KiteLogin, OpenAlgoCheck } from './broker-port.ts'
import { credentialsOf, openSecret, sealSecret, type KiteSecret } from './broker-secrets.ts'
import { hashState, newState } from './login-state.ts'
import { readOpenAlgoUrl } from './openalgo-url.ts'
import { presentConnection } from './present.ts'
import { brokerRepository, connectionReader, type ConnectionRow } from './repository.ts'

export interface BrokerDeps {
  readonly db: Db
  readonly limits: Limits
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Undefined where the configuration has no key: then nothing can be connected. */
  readonly box: SecretBox | undefined
  /** The operator's app for all users; undefined where each brings their own. */
  readonly kiteApp: KiteApp | undefined
  readonly kite: KiteLogin
  readonly checkOpenAlgo: OpenAlgoCheck
  readonly guard: OutboundGuard
  /** Origin of the site. */
  readonly origin: string
}

export interface BrokerService {
  readonly accounts: BrokerAccounts
  stateOf(current: CurrentSession): Promise<BrokerState>
  /** Stores the keys and answers the page to sign in on. */
  connectKite(current: CurrentSession, app: KiteApp): Promise<string>
  /** The page to sign in on again. */
  renewKite(current: CurrentSession): Promise<string>
  finishKite(current: CurrentSession, login: { readonly requestToken: string; readonly state: string }, caller: Caller): Promise<void>
  connectOpenAlgo(current: CurrentSession, instance: { readonly url: string; readonly apiKey: string }, caller: Caller): Promise<void>
  disconnect(current: CurrentSession, caller: Caller): Promise<void>
}

/** How long a login at Zerodha may take. */
const loginMs = 10 * minuteMs

export function brokerService(deps: BrokerDeps): BrokerService {
  const { db, limits, now, kite, kiteApp, guard } = deps
  const connections = brokerRepository(db)
  const read = connectionReader(db)

  function openBox(): SecretBox {
    if (deps.box === undefined) throw new AppError('unavailable', text.off, { code: 'broker.off' })
    return deps.box
  }

  async function countAttempt({ user }: CurrentSession): Promise<void> {
    const wait = await limits.hit(`broker:${user._id}`, numbers.brokerUser)
    if (wait !== undefined) throw new AppError('too-many', text.tooMany, { code: 'broker.too-many', retryAfterSeconds: wait })
  }

  async function log(on: Db, { user }: CurrentSession, caller: Caller, action: AuditAction, broker: BrokerName): Promise<void> {
    const actor = { id: user._id, email: user.email }
    const target = { id: user._id, name: user.email }
    await writeAudit(on, { at: new Date(now()), actor, action, target, address: caller.address, details: { broker } })
  }

  /** Begins a login that only this session can finish. */
  async function loginUrlOf({ id, user }: CurrentSession, app: KiteApp): Promise<string> {
    const state = newState()
    const login = { hash: hashState(state), sessionId: id, expiresAt: new Date(now() + loginMs) }
    if (!(await connections.beginLogin(user._id, login))) throw notConnected()
    return kite.urlOf(app.apiKey, state)
  }

  function kiteSecretOf(row: ConnectionRow): KiteSecret {
    const secret = openSecret(openBox(), row)
    if (secret === undefined) throw new AppError('conflict', text.unreadable, { code: 'broker.unreadable' })
    if (secret.broker !== 'kite') throw new AppError('conflict', text.notKite, { code: 'broker.not-kite' })
    return secret
  }

  function appOf(secret: KiteSecret): KiteApp {
    const app = secret.app ?? kiteApp
    if (app === undefined) throw new AppError('conflict', text.refusedKite, { code: 'broker.no-app' })
    return app
  }

  async function accessTokenOf(app: KiteApp, requestToken: string): Promise<string> {
    const outcome = await kite.exchange(app, requestToken)
    if (outcome === 'unreachable') throw new AppError('unavailable', text.unreachable, { code: 'broker.unreachable' })
    if (outcome === 'refused') throw new AppError('conflict', text.loginRefused, { code: 'broker.login-refused' })
    return outcome.accessToken
  }

  return {
    accounts: {
      async find(userId) {
        const row = deps.box === undefined ? undefined : await read(userId)
        if (row === undefined || deps.box === undefined || row.session_at === null || row.refused_at !== null) return undefined
        const expiresAtMs = row.expires_at?.getTime() ?? null
        const secret = openSecret(deps.box, row)
        const credentials = secret && credentialsOf(secret)
        if (credentials === undefined || (expiresAtMs !== null && expiresAtMs <= now())) return undefined
        return { broker: row.broker, version: row.version, credentials, expiresAtMs }
      },
      async refused(userId, version) {
        await connections.markRefused(userId, version, new Date(now()))
      },
    },

    async stateOf({ user }) {
      const { box } = deps
      const row = box === undefined ? undefined : await connections.find(user._id)
      const isReadable = row !== undefined && box !== undefined && openSecret(box, row) !== undefined
      return {
        isOffered: box !== undefined,
        hasKiteApp: kiteApp !== undefined,
        redirectUrl: deps.origin + brokerReturnPath,
        connection: row === undefined ? null : presentConnection(row, isReadable, now()),
      }
    },

    async connectKite(current, given) {
      const box = openBox()
      const app = { apiKey: given.apiKey.trim(), apiSecret: given.apiSecret.trim() }
      if (kiteApp === undefined && app.apiKey === '') throw fieldError('apiKey', text.fillKey)
      if (kiteApp === undefined && app.apiSecret === '') throw fieldError('apiSecret', text.fillSecret)
      await countAttempt(current)
      const secret = sealSecret(box, current.user._id, { broker: 'kite', ...(kiteApp === undefined && { app }) })
      const connection = { broker: 'kite', secret, address: null, sessionAt: null } as const
      if (!(await connections.put(current.user._id, connection, new Date(now())))) throw alreadyConnected()
      return loginUrlOf(current, kiteApp ?? app)
    },

    async renewKite(current) {
      openBox()
      const row = await connections.find(current.user._id)
      if (row === undefined) throw notConnected()
      await countAttempt(current)
      return loginUrlOf(current, appOf(kiteSecretOf(row)))
    },

    async finishKite(current, { requestToken, state }, caller) {
      const box = openBox()
      await countAttempt(current)
      const at = new Date(now())
      const row = await connections.takeLogin(current.user._id, { hash: hashState(state), sessionId: current.id }, at)
      if (row === undefined || requestToken === '') throw new AppError('conflict', text.loginState, { code: 'broker.login-state' })
      const secret = kiteSecretOf(row)
      const app = appOf(secret)
      const session = { apiKey: app.apiKey, accessToken: await accessTokenOf(app, requestToken) }
      const sealed = sealSecret(box, current.user._id, { ...secret, session })
      await db.transaction().execute(async (transaction) => {
        const isStored = await brokerRepository(transaction).putSession(row, sealed, at, new Date(kiteSessionEndMs(at.getTime())))
        if (!isStored) throw new AppError('conflict', text.changed, { code: 'broker.changed' })
        await log(transaction, current, caller, row.session_at === null ? 'broker-connected' : 'broker-renewed', 'kite')
      })
    },

    async connectOpenAlgo(current, given, caller) {
      const box = openBox()
      const apiKey = given.apiKey.trim()
      if (given.url.trim() === '') throw fieldError('url', text.fillUrl)
      if (apiKey === '') throw fieldError('apiKey', text.fillKey)
      await countAttempt(current)
      const url = readOpenAlgoUrl(given.url, guard)
      if (url === undefined) throw fieldError('url', text.badUrl)
      const known = await connections.find(current.user._id)
      if (known !== undefined && known.session_at !== null) throw alreadyConnected()
      const verdict = await deps.checkOpenAlgo(url, apiKey)
      if (verdict !== 'ok') throw verdict === 'key' ? fieldError('apiKey', text.keyRefused) : fieldError('url', text.notReached)
      const secret = sealSecret(box, current.user._id, { broker: 'openalgo', url, apiKey })
      const at = new Date(now())
      await db.transaction().execute(async (transaction) => {
        const connection = { broker: 'openalgo', secret, address: url, sessionAt: at } as const
        if (!(await brokerRepository(transaction).put(current.user._id, connection, at))) throw alreadyConnected()
        await log(transaction, current, caller, 'broker-connected', 'openalgo')
      })
    },

    async disconnect(current, caller) {
      await db.transaction().execute(async (transaction) => {
        const gone = await brokerRepository(transaction).delete(current.user._id)
        if (gone === undefined) throw notConnected()
        await log(transaction, current, caller, 'broker-disconnected', gone.broker)
      })
    },
  }
}

const notConnected = () => new AppError('not-found', text.notConnected, { code: 'broker.not-connected' })
const alreadyConnected = () => new AppError('conflict', text.alreadyConnected, { code: 'broker.connected' })
const fieldError = (field: string, message: string) =>
  new AppError('invalid', message, { code: 'broker.invalid', fields: { [field]: message } })
