// The whole server as a function of its needs: cross-cutting parts first, then the features, in reading order.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import path from 'node:path'
import cookiePlugin from '@fastify/cookie'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { api } from '#shared/api.ts'
import type { Site } from '#shared/base/site.ts'
import { findInstrumentAt } from '#shared/market/instruments.ts'
import { isPage } from '#shared/base/pages.ts'
import type { Db } from './db/database.ts'
import { auditService } from './features/audit/service.ts'
import { deviceCookie } from './features/auth/device-cookie.ts'
import { factorHandlers } from './features/auth/factors/factor-routes.ts'
import { secondFactors } from './features/auth/factors/second-factors.ts'
import { authHandlers } from './features/auth/routes.ts'
import { emailHandlers } from './features/auth/email-routes.ts'
import { emailService } from './features/auth/email-service.ts'
import type { PasswordHasher } from './features/auth/password.ts'
import { udfKeyHandlers } from './features/auth/udf-keys/udf-key-routes.ts'
import { udfKeyService } from './features/auth/udf-keys/udf-key-service.ts'
import { selfHandlers } from './features/auth/self-routes.ts'
import { selfService } from './features/auth/self-service.ts'
import { authService } from './features/auth/service.ts'
import { errorReportHandlers } from './features/error-reports/routes.ts'
import { errorReportsService } from './features/error-reports/service.ts'
import { serveOutbox, type MailsKept } from './features/mail-outbox/outbox-page.ts'
import { chartServices } from './features/market/chart-services.ts'
import { brokerHandlers } from './features/market/brokers/routes.ts'
import { candleBudget, noCandleBudget } from './features/market/history/candle-budget.ts'
import { candlesService } from './features/market/history/candles-service.ts'
import { serveLive } from './features/market/live/live-server.ts'
import { marketData, type MarketWiring } from './features/market/market-data.ts'
import { operatorHandlers } from './features/market/operator/operator-routes.ts'
import { operatorService } from './features/market/operator/operator-service.ts'
import { instrumentsHandlers } from './features/market/instruments/instruments-routes.ts'
import { openOwnMarkets, type BrokerAdapters } from './features/market/own/open-own-markets.ts'
import { marketHandlers } from './features/market/routes.ts'
import { udfHandlers } from './features/market/udf/udf-routes.ts'
import { readVerifyReport } from './features/market/verify/repository.ts'
import { udfService } from './features/market/udf/udf-service.ts'
import { plansHandlers } from './features/plans/routes.ts'
import { plansService } from './features/plans/service.ts'
import { privacyHandlers } from './features/privacy/routes.ts'
import { privacyService } from './features/privacy/service.ts'
import { subscriptionsHandlers } from './features/subscriptions/routes.ts'
import { subscriptionsService } from './features/subscriptions/service.ts'
import { adminHandlers } from './features/users/admin-routes.ts'
import { adminUsersService } from './features/users/admin-service.ts'
import type { Presence } from './features/users/presence.ts'
import { usersHandlers } from './features/users/routes.ts'
import { usersService } from './features/users/service.ts'
import { workspaceHandlers } from './features/workspace/routes.ts'
import { workspaceService } from './features/workspace/service.ts'
import { addressReader } from './http/address.ts'
import { answerBrokenHttp } from './http/broken-http.ts'
import { addCommonHooks } from './http/common-hooks.ts'
import { answerError } from './http/errors.ts'
import { serveHealth } from './http/health.ts'
import { databaseIdempotency } from './http/idempotency.ts'
import type { Limits } from './http/limits.ts'
import { addDrainHooks, boundedPipeline, createHttpServer, type Drain } from './http/listener.ts'
import { serveOpenApi } from './http/openapi.ts'
import { isOwnOrigin } from './http/origin-guard.ts'
import { servePages } from './http/pages.ts'
import { proofOfWork } from './http/proof-of-work.ts'
import { apiHeaders, pagePolicy } from './http/security-headers.ts'
import { bodyLimitBytesDefault, refuseOtherMethods, serve, type Gate } from './http/serve.ts'
import type { Readiness } from './http/readiness.ts'
import { callerOf, findSession, sessionCookie } from './http/session.ts'
import { backgroundMails } from './mail/background-mails.ts'
import type { Mailer } from './mail/mailer.ts'
import { samplesBy, type Metrics } from './metrics/metrics.ts'
import { failureLog } from './outage.ts'
import type { SecretBox } from './secret-box.ts'
import type { KeyFor } from './secret-key.ts'

/** Sockets of live candles at once; each holds some 20 kB here and as much in the kernel. */
const liveConnectionsMax = 20_000

export interface AppNeeds {
  readonly db: Db
  readonly readiness: Readiness
  readonly metrics?: Metrics | undefined
  readonly limits: Limits
  /** False for load tests: what a user may have of candles is not bounded. */
  readonly hasRateLimits?: boolean
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly keyFor: KeyFor
  readonly proofBits?: number
  readonly market: MarketWiring
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** For failures of work that no request waits for. */
  readonly jobsLog: FastifyBaseLogger
  /** The share of successful requests that is logged; all of them unless said. */
  readonly requestLogShare?: number
  readonly publicOrigin: string | undefined
  readonly trustedProxies: readonly string[]
  readonly warnings: readonly string[]
  readonly site: Site
  /** Undefined where no mail can be sent. */
  readonly mailer: Mailer | undefined
  /** Where the mailer only keeps its mails: what it keeps, to be read at `/dev/outbox`. */
  readonly outbox?: MailsKept | undefined
  /** Origin that links in mails lead to. */
  readonly linkOrigin: string
  readonly secretBox: SecretBox
  readonly brokers: BrokerAdapters
  /** True where admins may not work without two-factor sign-in. */
  readonly needsAdminFactor: boolean
  readonly webRoot: string | undefined
  /** An HTTP server that already listens; without it one that does not listen is made. */
  readonly server?: Server
  readonly drain?: Drain
}

/** Builds the app; it opens nothing and listens to nothing. */
export async function buildApp(needs: AppNeeds): Promise<FastifyInstance> {
  const { db, now, limits, presence, hasher, keyFor } = needs
  const app = fastify({
    loggerInstance: needs.log,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytesDefault,
    trustProxy: needs.trustedProxies.length === 0 ? false : [...needs.trustedProxies],
    exposeHeadRoutes: false,
    // Requests that arrive while the server closes are answered as ever, with Connection: close.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    clientErrorHandler: answerBrokenHttp,
    // These never reach the hooks, so they get their headers here.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(apiHeaders).header('x-request-id', request.id)),
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    serverFactory: (handler) => (needs.server ?? createHttpServer()).on('request', boundedPipeline(handler)),
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  addCommonHooks(app, { publicOrigin: needs.publicOrigin, metrics: needs.metrics, logShare: needs.requestLogShare ?? 1 })
  if (needs.drain !== undefined) addDrainHooks(app, needs.drain)
  await app.register(cookiePlugin)

  const isHttps = needs.publicOrigin?.startsWith('https:') === true
  const cookie = sessionCookie(isHttps)
  const deviceKey = keyFor('device')
  const device = deviceCookie({ isHttps, key: deviceKey, now })
  const proofs = proofOfWork({ limits, key: keyFor('proof-of-work'), now, bits: needs.proofBits })
  const onError = failureLog(needs.jobsLog)
  const audit = auditService({ db, limits, now })
  const { mailer, linkOrigin, needsAdminFactor, secretBox: box } = needs
  const { brandName } = needs.site
  const monotonic = () => needs.market.clock.monotonic()
  const common = { db, limits, presence, now, mailer, brandName, onError }
  const mails = backgroundMails(mailer, onError)
  const emails = emailService({ ...common, linkOrigin })
  const auth = authService({ ...common, hasher, keyFor, proofs, emails, needsAdminFactor })
  const factors = secondFactors({ ...common, auth, origin: needs.publicOrigin, needsAdminFactor, box, deviceKey })
  const self = selfService({ ...common, hasher, proofs, linkOrigin, onPasswordChanged: (userId) => emails.passwordChanged(userId) })
  const udfKeys = udfKeyService({ ...common, mails, monotonic, hasRateLimits: needs.hasRateLimits !== false, needsAdminFactor })
  const users = usersService({ db, presence, now })
  const data = marketData(needs.market, onError)
  const { brokers, own, ownMarketOf } = openOwnMarkets({ ...common, adapters: needs.brokers, origin: linkOrigin })
  const { market, instruments, isHidden, prepare } = chartServices({ db, now, onError, wiring: needs.market, data, ownMarketOf })
  app.addHook('onReady', prepare)
  const shown = { ...data, isHidden, sources: data.views, now: () => needs.market.clock.now() }
  const candles = candlesService(shown, ownMarketOf)
  const workspaces = workspaceService({ db, now })
  const udf = udfService({ ...shown, adjustmentOf: (viewer) => workspaces.adjustment(viewer) })
  const budget = needs.hasRateLimits === false ? noCandleBudget : candleBudget(monotonic)
  const operator = operatorService({
    market: needs.market,
    views: data.views,
    liveSockets: () => live.connections,
    verification: () => readVerifyReport(db),
  })
  const plans = plansService({ db, audit, now })
  const subscriptions = subscriptionsService({ db, limits, now })
  const adminUsers = adminUsersService({ db, limits, now })
  const privacy = privacyService({ db, limits, presence, now, onError })
  // The build moves its source maps beside the folder that is public.
  const sourceMaps = needs.webRoot === undefined ? undefined : path.join(needs.webRoot, '../source-maps')
  const errorReports = errorReportsService({ limits, sourceMaps })
  app.addHook('onClose', () => Promise.all([self.settle(), emails.settle(), factors.settle(), mails.settle()]))

  const gate: Gate = {
    idempotency: databaseIdempotency({ db, limits, key: keyFor('idempotency'), now, onError }),
    find: (request, isUse) => findSession(request, cookie, auth, isUse),
    findByUdfKey: async ({ params }) => ({ user: await udfKeys.ownerOf((params as { key: string }).key) }),
    onAdminRefused: ({ user }, route, request) =>
      audit.accessRefused({ id: user._id, email: user.email }, `${route.method} ${route.path}`, callerOf(request).address),
  }
  serve(app, api.auth, authHandlers({ auth, secondFactor: factors.atSignIn, cookie, device }), gate)
  serve(app, api.users, usersHandlers({ auth, users }), gate)
  serve(app, api.market, marketHandlers({ market, candles, budget }), gate)
  serve(app, api.adminMarket, operatorHandlers({ operator }), gate)
  serve(app, api.adminInstruments, instrumentsHandlers({ instruments }), gate)
  serve(app, api.udf, udfHandlers({ udf, budget }), gate)
  serve(app, api.udfKeyed, udfHandlers({ udf, budget }), gate)
  serve(app, api.udfKeys, udfKeyHandlers({ keys: udfKeys }), gate)
  serve(app, api.plans, plansHandlers({ plans }), gate)
  serve(app, api.subscriptions, subscriptionsHandlers({ subscriptions, now }), gate)
  serve(app, api.admin, adminHandlers({ adminUsers, audit, now, passwords: self }), gate)
  serve(app, api.self, selfHandlers({ self, device }), gate)
  serve(app, api.email, emailHandlers({ emails, self }), gate)
  serve(app, api.factors, factorHandlers({ factors, self }), gate)
  serve(app, api.brokers, brokerHandlers({ brokers }), gate)
  serve(app, api.workspace, workspaceHandlers({ workspaces }), gate)
  serve(app, api.privacy, privacyHandlers({ privacy, cookie, device, confirm: (session, form) => self.confirm(session, form) }), gate)
  serve(app, api.errorReports, errorReportHandlers({ errorReports }), gate)
  refuseOtherMethods(app, api)
  serveOpenApi(app, api, needs.site.brandName)
  serveHealth(app, { readiness: needs.readiness, drain: needs.drain, warnings: needs.warnings })
  const live = serveLive({
    server: app.server,
    db,
    views: data.views,
    own,
    clock: needs.market.clock,
    cookieOf: (header) => cookie.read({ cookies: app.parseCookie(header ?? '') }),
    findSession: (held, token) => auth.findCurrent(held, token, false),
    isHidden,
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, needs.publicOrigin),
    addressOf: addressReader(needs.trustedProxies),
    connectionsMax: liveConnectionsMax,
    onError,
  })
  needs.metrics?.read({
    tezi_live_sockets: () => live.connections,
    tezi_live_frames_sent_total: () => live.framesSent,
    tezi_live_deliveries: () => samplesBy('state', live.deliveries),
  })
  // Before the server stops listening, because an open socket would keep it from ending.
  app.addHook('preClose', () => live.close())
  app.addHook('onClose', () => Promise.all([own.close(), data.views.close()]))
  if (needs.outbox !== undefined) serveOutbox(app, { outbox: needs.outbox, policy: pagePolicy(needs.site.tradingViewMount) })
  await servePages(app, {
    webRoot: needs.webRoot,
    site: needs.site,
    isPage: (path) => isPage(path) && !isHidden(findInstrumentAt(path)?.slug ?? ''),
  })
  return app
}
