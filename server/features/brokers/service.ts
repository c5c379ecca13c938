// Use cases of a user's own broker: connect, renew the daily login, read, disconnect. Each change is written to the audit log.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { RequestActor } from '#server/http/session.ts'
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import type { SecretBox } from '#server/secrets/secret-box.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { brokerReturnPath, type BrokerConnection, type BrokerName, type BrokerState } from '#shared/brokers/contract.ts'
import { kiteSessionEndMs } from '#shared/brokers/kite-session-end.ts'
import { AppError, inEnglish, type MessageOf } from '#shared/http/app-error.ts'
import type { PlainCode } from '#shared/messages/message.ts'
import { brokerRepository, connectionReader, type ConnectionRow } from './repository.ts'
import type { BrokerAccounts, BrokerCredentials, KiteApp, KiteLogin, OpenAlgoCheck } from './types.ts'

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

const kiteSchema = z.object({
  broker: z.literal('kite'),
  /** Absent when the operator's app is used. */
  app: z.object({ apiKey: z.string(), apiSecret: z.string() }).optional(),
  /** Access token of the latest login, with the API key it was issued for. */
  session: z.object({ apiKey: z.string(), accessToken: z.string() }).optional(),
})

const openAlgoSchema = z.object({ broker: z.literal('openalgo'), url: z.string(), apiKey: z.string() })

const secretSchema = z.discriminatedUnion('broker', [kiteSchema, openAlgoSchema])

type BrokerSecret = z.output<typeof secretSchema>
type KiteSecret = z.output<typeof kiteSchema>

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

  async stateOf(userId: string): Promise<BrokerState> {
    const { box } = this.#deps
    const row = box === undefined ? undefined : await this.#connections.find(userId)
    const isReadable = row !== undefined && box !== undefined && openSecret(box, row) !== undefined
    return {
      isOffered: box !== undefined,
      hasKiteApp: this.#deps.kiteApp !== undefined,
      redirectUrl: this.#deps.origin + brokerReturnPath,
      connection: row === undefined ? null : presentConnection(row, isReadable, this.#deps.now()),
    }
  }

  /** Stores the keys and returns the URL of the login page. */
  async connectKite(actor: RequestActor, form: KiteApp): Promise<string> {
    const box = this.#openBox()
    const app = { apiKey: form.apiKey.trim(), apiSecret: form.apiSecret.trim() }
    if (this.#deps.kiteApp === undefined && app.apiKey === '') throw fieldError('apiKey', 'brokers.fillKey')
    if (this.#deps.kiteApp === undefined && app.apiSecret === '') throw fieldError('apiSecret', 'brokers.fillSecret')
    rejectWait(await this.#deps.rateLimiter.hit(`broker:${actor.id}`, rateLimits.brokerUser), 'brokers.tooMany')
    const secret = sealSecret(box, actor.id, { broker: 'kite', ...(this.#deps.kiteApp === undefined && { app }) })
    const connection = { broker: 'kite', secret, address: null, sessionAt: null } as const
    if (!(await this.#connections.put(actor.id, connection, new Date(this.#deps.now())))) throw alreadyConnected()
    return this.#loginUrlOf(actor, this.#deps.kiteApp ?? app)
  }

  /** URL of the login page, to renew the session. */
  async renewKite(actor: RequestActor): Promise<string> {
    this.#openBox()
    const row = await this.#connections.find(actor.id)
    if (row === undefined) throw notConnected()
    rejectWait(await this.#deps.rateLimiter.hit(`broker:${actor.id}`, rateLimits.brokerUser), 'brokers.tooMany')
    return this.#loginUrlOf(actor, this.#appOf(this.#kiteSecretOf(row)))
  }

  async finishKite(actor: RequestActor, { requestToken, state }: { requestToken: string; state: string }): Promise<void> {
    const box = this.#openBox()
    rejectWait(await this.#deps.rateLimiter.hit(`broker:${actor.id}`, rateLimits.brokerUser), 'brokers.tooMany')
    const at = new Date(this.#deps.now())
    const row = await this.#connections.takeLogin(actor.id, { hash: hashState(state), sessionId: actor.sessionId }, at)
    if (row === undefined || requestToken === '') throw new AppError('conflict', 'brokers.loginState')
    const secret = this.#kiteSecretOf(row)
    const app = this.#appOf(secret)
    const session = { apiKey: app.apiKey, accessToken: await this.#accessTokenOf(app, requestToken) }
    const sealed = sealSecret(box, actor.id, { ...secret, session })
    await this.#deps.db.transaction().execute(async (transaction) => {
      const isStored = await brokerRepository(transaction).putSession(row, sealed, at, new Date(kiteSessionEndMs(at.getTime())))
      if (!isStored) throw new AppError('conflict', 'brokers.changed')
      await this.#log(transaction, actor, row.session_at === null ? 'broker-connected' : 'broker-renewed', 'kite')
    })
  }

  async connectOpenAlgo(actor: RequestActor, form: { url: string; apiKey: string }): Promise<void> {
    const box = this.#openBox()
    const apiKey = form.apiKey.trim()
    if (form.url.trim() === '') throw fieldError('url', 'brokers.fillUrl')
    if (apiKey === '') throw fieldError('apiKey', 'brokers.fillKey')
    rejectWait(await this.#deps.rateLimiter.hit(`broker:${actor.id}`, rateLimits.brokerUser), 'brokers.tooMany')
    const url = openAlgoUrl(form.url, this.#deps.guard)
    if (url === undefined) throw fieldError('url', 'brokers.badUrl')
    const stored = await this.#connections.find(actor.id)
    if (stored !== undefined && stored.session_at !== null) throw alreadyConnected()
    const result = await this.#deps.checkOpenAlgo(url, apiKey)
    if (result !== 'ok') throw result === 'key' ? fieldError('apiKey', 'brokers.keyRejected') : fieldError('url', 'brokers.notReached')
    const secret = sealSecret(box, actor.id, { broker: 'openalgo', url, apiKey })
    const at = new Date(this.#deps.now())
    await this.#deps.db.transaction().execute(async (transaction) => {
      const connection = { broker: 'openalgo', secret, address: url, sessionAt: at } as const
      if (!(await brokerRepository(transaction).put(actor.id, connection, at))) throw alreadyConnected()
      await this.#log(transaction, actor, 'broker-connected', 'openalgo')
    })
  }

  async disconnect(actor: RequestActor): Promise<void> {
    await this.#deps.db.transaction().execute(async (transaction) => {
      const removed = await brokerRepository(transaction).delete(actor.id)
      if (removed === undefined) throw notConnected()
      await this.#log(transaction, actor, 'broker-disconnected', removed.broker)
    })
  }

  #openBox(): SecretBox {
    if (this.#deps.box === undefined) throw new AppError('unavailable', 'brokers.off')
    return this.#deps.box
  }

  async #log(transaction: Db, actor: RequestActor, action: AuditAction, broker: BrokerName): Promise<void> {
    const target = { id: actor.id, name: actor.email }
    await writeAudit(transaction, { at: new Date(this.#deps.now()), actor, action, target, address: actor.address, details: { broker } })
  }

  /** Starts a login that only this session can finish. */
  async #loginUrlOf({ id, sessionId }: RequestActor, app: KiteApp): Promise<string> {
    const state = randomBytes(32).toString('base64url')
    const login = { hash: hashState(state), sessionId, expiresAt: new Date(this.#deps.now() + loginMs) }
    if (!(await this.#connections.beginLogin(id, login))) throw notConnected()
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
    const result = await this.#deps.kite.exchange(app, requestToken)
    if (result === 'unreachable') throw new AppError('unavailable', 'brokers.unreachable')
    if (result === 'refused') throw new AppError('conflict', 'brokers.loginRejected')
    return result.accessToken
  }
}

const notConnected = () => new AppError('not-found', 'brokers.notConnected')
const alreadyConnected = () => new AppError('conflict', 'brokers.alreadyConnected')
const fieldError = (field: string, message: MessageOf) => new AppError('invalid', message, { fields: { [field]: message } })

const contextOf = (userId: string): string => `broker:${userId}`

function sealSecret(box: SecretBox, userId: string, secret: BrokerSecret): Buffer {
  return box.seal(JSON.stringify(secret), contextOf(userId))
}

/** Undefined if the key is unknown, the account differs or the data was changed. */
function openSecret(box: SecretBox, row: Pick<ConnectionRow, 'user_id' | 'secret'>): BrokerSecret | undefined {
  try {
    return secretSchema.parse(parseJson(box.open(row.secret, contextOf(row.user_id))))
  } catch {
    return undefined
  }
}

/** Credentials for broker calls; undefined before the first login. */
function credentialsOf(secret: BrokerSecret): BrokerCredentials | undefined {
  if (secret.broker === 'openalgo') return secret
  return secret.session === undefined ? undefined : { broker: 'kite', ...secret.session }
}

/** Only this hash of the state of a login is stored. */
function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

/** Base URL without a trailing slash; undefined if calls to it are not allowed. */
function openAlgoUrl(text: string, guard: OutboundGuard): string | undefined {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  if (url.search !== '' || url.hash !== '' || !/^https?:$/.test(url.protocol)) return undefined
  try {
    guard.check(url)
  } catch {
    return undefined
  }
  return url.href.replace(/\/+$/, '')
}

/** The connection as its user sees it, never its keys. `isReadable` is false if the credentials were encrypted with a key that this server does not have. */
function presentConnection(row: ConnectionRow, isReadable: boolean, nowMs: number): BrokerConnection {
  const { state, code } = connectionStateOf(row, isReadable, nowMs)
  return {
    broker: row.broker,
    state,
    address: row.address,
    connectedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    message: code === null ? null : inEnglish(code),
    ...(code === null ? {} : { code }),
  }
}

function connectionStateOf(
  row: ConnectionRow,
  isReadable: boolean,
  nowMs: number,
): { state: BrokerConnection['state']; code: PlainCode | null } {
  if (!isReadable) return { state: 'error', code: 'brokers.unreadable' }
  if (row.session_at === null) return { state: 'login', code: 'brokers.loginNote' }
  // An expired session explains a rejection after it.
  if (row.expires_at !== null && row.expires_at.getTime() <= nowMs) return { state: 'expired', code: 'brokers.expiredNote' }
  if (row.refused_at !== null) return { state: 'error', code: row.broker === 'kite' ? 'brokers.refusedKite' : 'brokers.refusedOpenAlgo' }
  return { state: 'connected', code: null }
}
