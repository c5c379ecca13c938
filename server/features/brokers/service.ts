// Use cases of a user's own broker: connect, renew the daily login, read, disconnect. Each change is written to the audit log.
import { minuteMs } from '#shared/base/durations.ts'
import { brokerReturnPath, type BrokerName, type BrokerState } from '#shared/brokers/contract.ts'
import { kiteSessionEndMs } from '#shared/brokers/kite-session-end.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import type { Db } from '#server/db/database.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import type { SecretBox } from '#server/secrets/secret-box.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import type { BrokerAccounts, KiteApp, KiteLogin, OpenAlgoCheck } from './broker-port.ts'
import { credentialsOf, openSecret, sealSecret, type KiteSecret } from './broker-secrets.ts'
import { hashState, newState } from './login-state.ts'
import { readOpenAlgoUrl } from './openalgo-url.ts'
import { presentConnection } from './present.ts'
import { brokerRepository, connectionReader, type ConnectionRow } from './repository.ts'

export interface BrokerDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Undefined without a configured encryption key: connecting is disabled. */
  readonly box: SecretBox | undefined
  /** The operator's app for all users; undefined if users bring their own. */
  readonly kiteApp: KiteApp | undefined
  readonly kite: KiteLogin
  readonly checkOpenAlgo: OpenAlgoCheck
  readonly guard: OutboundGuard
  /** Origin of the site. */
  readonly origin: string
}

/** Time limit of a Zerodha login. */
const loginMs = 10 * minuteMs

export class BrokerService {
  readonly #deps: BrokerDeps
  readonly #connections: ReturnType<typeof brokerRepository>
  readonly #read: ReturnType<typeof connectionReader>
  /** For the feeds of users' own brokers. */
  readonly accounts: BrokerAccounts = {
    find: async (userId) => {
      const row = this.#deps.box === undefined ? undefined : await this.#read(userId)
      if (row === undefined || this.#deps.box === undefined || row.session_at === null || row.refused_at !== null) return undefined
      const expiresAtMs = row.expires_at?.getTime() ?? null
      const secret = openSecret(this.#deps.box, row)
      const credentials = secret && credentialsOf(secret)
      if (credentials === undefined || (expiresAtMs !== null && expiresAtMs <= this.#deps.now())) return undefined
      return { broker: row.broker, version: row.version, credentials, expiresAtMs }
    },
    refused: async (userId, version) => {
      await this.#connections.markRejected(userId, version, new Date(this.#deps.now()))
    },
  }

  constructor(deps: BrokerDeps) {
    this.#deps = deps
    this.#connections = brokerRepository(deps.db)
    this.#read = connectionReader(deps.db)
  }

  async stateOf({ user }: CurrentSession): Promise<BrokerState> {
    const { box } = this.#deps
    const row = box === undefined ? undefined : await this.#connections.find(user._id)
    const isReadable = row !== undefined && box !== undefined && openSecret(box, row) !== undefined
    return {
      isOffered: box !== undefined,
      hasKiteApp: this.#deps.kiteApp !== undefined,
      redirectUrl: this.#deps.origin + brokerReturnPath,
      connection: row === undefined ? null : presentConnection(row, isReadable, this.#deps.now()),
    }
  }

  /** Stores the keys and returns the URL of the login page. */
  async connectKite(current: CurrentSession, given: KiteApp): Promise<string> {
    const box = this.#openBox()
    const app = { apiKey: given.apiKey.trim(), apiSecret: given.apiSecret.trim() }
    if (this.#deps.kiteApp === undefined && app.apiKey === '') throw fieldError('apiKey', 'brokers.fillKey')
    if (this.#deps.kiteApp === undefined && app.apiSecret === '') throw fieldError('apiSecret', 'brokers.fillSecret')
    await this.#countAttempt(current)
    const secret = sealSecret(box, current.user._id, { broker: 'kite', ...(this.#deps.kiteApp === undefined && { app }) })
    const connection = { broker: 'kite', secret, address: null, sessionAt: null } as const
    if (!(await this.#connections.put(current.user._id, connection, new Date(this.#deps.now())))) throw alreadyConnected()
    return this.#loginUrlOf(current, this.#deps.kiteApp ?? app)
  }

  /** URL of the login page, to renew the session. */
  async renewKite(current: CurrentSession): Promise<string> {
    this.#openBox()
    const row = await this.#connections.find(current.user._id)
    if (row === undefined) throw notConnected()
    await this.#countAttempt(current)
    return this.#loginUrlOf(current, this.#appOf(this.#kiteSecretOf(row)))
  }

  async finishKite(
    current: CurrentSession,
    { requestToken, state }: { readonly requestToken: string; readonly state: string },
    caller: Caller,
  ): Promise<void> {
    const box = this.#openBox()
    await this.#countAttempt(current)
    const at = new Date(this.#deps.now())
    const row = await this.#connections.takeLogin(current.user._id, { hash: hashState(state), sessionId: current.id }, at)
    if (row === undefined || requestToken === '') throw new AppError('conflict', 'brokers.loginState')
    const secret = this.#kiteSecretOf(row)
    const app = this.#appOf(secret)
    const session = { apiKey: app.apiKey, accessToken: await this.#accessTokenOf(app, requestToken) }
    const sealed = sealSecret(box, current.user._id, { ...secret, session })
    await this.#deps.db.transaction().execute(async (transaction) => {
      const isStored = await brokerRepository(transaction).putSession(row, sealed, at, new Date(kiteSessionEndMs(at.getTime())))
      if (!isStored) throw new AppError('conflict', 'brokers.changed')
      await this.#log(transaction, current, caller, row.session_at === null ? 'broker-connected' : 'broker-renewed', 'kite')
    })
  }

  async connectOpenAlgo(current: CurrentSession, given: { readonly url: string; readonly apiKey: string }, caller: Caller): Promise<void> {
    const box = this.#openBox()
    const apiKey = given.apiKey.trim()
    if (given.url.trim() === '') throw fieldError('url', 'brokers.fillUrl')
    if (apiKey === '') throw fieldError('apiKey', 'brokers.fillKey')
    await this.#countAttempt(current)
    const url = readOpenAlgoUrl(given.url, this.#deps.guard)
    if (url === undefined) throw fieldError('url', 'brokers.badUrl')
    const known = await this.#connections.find(current.user._id)
    if (known !== undefined && known.session_at !== null) throw alreadyConnected()
    const verdict = await this.#deps.checkOpenAlgo(url, apiKey)
    if (verdict !== 'ok') throw verdict === 'key' ? fieldError('apiKey', 'brokers.keyRejected') : fieldError('url', 'brokers.notReached')
    const secret = sealSecret(box, current.user._id, { broker: 'openalgo', url, apiKey })
    const at = new Date(this.#deps.now())
    await this.#deps.db.transaction().execute(async (transaction) => {
      const connection = { broker: 'openalgo', secret, address: url, sessionAt: at } as const
      if (!(await brokerRepository(transaction).put(current.user._id, connection, at))) throw alreadyConnected()
      await this.#log(transaction, current, caller, 'broker-connected', 'openalgo')
    })
  }

  async disconnect(current: CurrentSession, caller: Caller): Promise<void> {
    await this.#deps.db.transaction().execute(async (transaction) => {
      const gone = await brokerRepository(transaction).delete(current.user._id)
      if (gone === undefined) throw notConnected()
      await this.#log(transaction, current, caller, 'broker-disconnected', gone.broker)
    })
  }

  #openBox(): SecretBox {
    if (this.#deps.box === undefined) throw new AppError('unavailable', 'brokers.off')
    return this.#deps.box
  }

  async #countAttempt({ user }: CurrentSession): Promise<void> {
    const wait = await this.#deps.rateLimiter.hit(`broker:${user._id}`, rateLimits.brokerUser)
    if (wait !== undefined) throw new AppError('too-many', 'brokers.tooMany', { retryAfterSeconds: wait })
  }

  async #log(on: Db, { user }: CurrentSession, caller: Caller, action: AuditAction, broker: BrokerName): Promise<void> {
    const actor = { id: user._id, email: user.email }
    const target = { id: user._id, name: user.email }
    await writeAudit(on, { at: new Date(this.#deps.now()), actor, action, target, address: caller.address, details: { broker } })
  }

  /** Starts a login that only this session can finish. */
  async #loginUrlOf({ id, user }: CurrentSession, app: KiteApp): Promise<string> {
    const state = newState()
    const login = { hash: hashState(state), sessionId: id, expiresAt: new Date(this.#deps.now() + loginMs) }
    if (!(await this.#connections.beginLogin(user._id, login))) throw notConnected()
    return this.#deps.kite.urlOf(app.apiKey, state)
  }

  #kiteSecretOf(row: ConnectionRow): KiteSecret {
    const secret = openSecret(this.#openBox(), row)
    if (secret === undefined) throw new AppError('conflict', 'brokers.unreadable')
    if (secret.broker !== 'kite') throw new AppError('conflict', 'brokers.notKite')
    return secret
  }

  #appOf(secret: KiteSecret): KiteApp {
    const app = secret.app ?? this.#deps.kiteApp
    if (app === undefined) throw new AppError('conflict', 'brokers.refusedKite')
    return app
  }

  async #accessTokenOf(app: KiteApp, requestToken: string): Promise<string> {
    const outcome = await this.#deps.kite.exchange(app, requestToken)
    if (outcome === 'unreachable') throw new AppError('unavailable', 'brokers.unreachable')
    if (outcome === 'refused') throw new AppError('conflict', 'brokers.loginRejected')
    return outcome.accessToken
  }
}

const notConnected = () => new AppError('not-found', 'brokers.notConnected')
const alreadyConnected = () => new AppError('conflict', 'brokers.alreadyConnected')
const fieldError = (field: string, message: MessageOf) => new AppError('invalid', message, { fields: { [field]: message } })
