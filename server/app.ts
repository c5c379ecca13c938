// The HTTP app over the services: cross-cutting parts first, then the routes of the features.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import cookiePlugin from '@fastify/cookie'
import fastify, { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { api } from '#shared/api.ts'
import { basePath } from '#shared/http/route.ts'
import { findInstrumentAt } from '#shared/instruments/instruments.ts'
import { livePath } from '#shared/market-data/live/contract.ts'
import { isAdminPath, isPage } from '#shared/is-page.ts'
import { deviceCookie, type DeviceCookie } from './features/auth/device-cookie.ts'
import {
  authHandlers,
  emailHandlers,
  factorHandlers,
  passwordConfirmation,
  passwordHandlers,
  roleHandlers,
  sessionHandlers,
} from './features/auth/routes.ts'
import { auditHandlers } from './features/audit/routes.ts'
import { errorReportHandlers } from './features/error-reports/routes.ts'
import { serveOutbox } from './features/mail-outbox/routes.ts'
import { brokerHandlers } from './features/brokers/routes.ts'
import { adminInstrumentHandlers, instrumentHandlers } from './features/instruments/routes.ts'
import { LiveServer } from './features/market-data/live/live-server.ts'
import { calendarImportHandlers } from './features/calendars/routes.ts'
import { marketAdminHandlers } from './features/market-admin/routes.ts'
import { marketAdminService, type MarketAdminService } from './features/market-admin/service.ts'
import { chartHandlers } from './features/chart/routes.ts'
import { candlesHandlers } from './features/market-data/history/routes.ts'
import { readRejectedRows } from './features/market-data/store/rejected-rows.ts'
import { readVerifyReport } from './features/market-data/verify/repository.ts'
import { plansHandlers } from './features/plans/routes.ts'
import { privacyHandlers } from './features/privacy/routes.ts'
import { subscriptionsHandlers } from './features/subscriptions/routes.ts'
import { systemStatusHandlers } from './features/system-status/routes.ts'
import type { SystemStatusService } from './features/system-status/service.ts'
import { adminHandlers, presenceHandlers, userHandlers } from './features/users/routes.ts'
import { workspaceHandlers } from './features/workspace/routes.ts'
import { addressReader } from './http/rate-limiter.ts'
import { respondToInvalidHttp, addDrainHooks, boundedPipeline, createHttpServer, type Drain } from './http/listener.ts'
import { addCommonHooks, isOwnOrigin } from './http/add-common-hooks.ts'
import { handleError, SecurityEvents } from './http/handle-error.ts'
import { serveHealth, type Readiness } from './http/readiness.ts'
import { serveOpenApi } from './http/serve-openapi.ts'
import { isPageRequest, pageSender, servePages, type SendPage } from './http/serve-pages.ts'
import { apiHeaders, pagePolicy } from './http/security-headers.ts'
import { bodyLimitBytesDefault, rejectOtherMethods, serve, type ServeOptions } from './http/serve.ts'
import { callerOf, sessionCookie, sessionOf, type SessionCookie } from './http/session.ts'
import type { MemoryMailer } from './mail/mailer.ts'
import { samplesBy, type Metrics } from './metrics/metrics.ts'
import type { Services, ServicesDeps } from './services.ts'

/** Maximum live sockets; each uses about 20 kB here and as much in the kernel. */
const liveConnectionsMax = 20_000

export interface AppOptions extends Pick<
  ServicesDeps,
  'db' | 'keyFor' | 'market' | 'now' | 'onError' | 'publicOrigin' | 'site' | 'webRoot'
> {
  readonly services: Services
  readonly status: SystemStatusService
  readonly readiness: Readiness
  readonly metrics?: Metrics | undefined
  readonly log: FastifyBaseLogger
  /** Fraction of successful requests that is logged; all by default. */
  readonly requestLogShare?: number
  readonly trustedProxies: readonly string[]
  /** The mails of a development mailer, shown at `/dev/outbox`. */
  readonly outbox?: Pick<MemoryMailer, 'mails'> | undefined
  /** A server that is already listening; by default one that does not listen is created. */
  readonly server?: Server
  readonly drain?: Drain
}

function newApp(options: AppOptions, sendPage: SendPage | undefined): FastifyInstance {
  return fastify({
    loggerInstance: options.log,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytesDefault,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    exposeHeadRoutes: false,
    // Requests that arrive during shutdown are answered as usual, with Connection: close.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    clientErrorHandler: respondToInvalidHttp,
    // These bypass the hooks, so they get their headers here.
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id)
      if (sendPage !== undefined && isPageRequest(request)) void sendPage(reply, 400)
      else handleError(error, request, reply.headers(apiHeaders))
    },
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    serverFactory: (handler) => (options.server ?? createHttpServer()).on('request', boundedPipeline(handler)),
  })
}

/** Builds the app without opening or listening to anything. Closing it closes the services. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, now, services } = options
  const { isHidden, views } = services
  const isHttps = options.publicOrigin?.startsWith('https:') === true
  const cookie = sessionCookie(isHttps)
  const isShown = (path: string) => isPage(path) && !isHidden(findInstrumentAt(path)?.slug ?? '')
  const sendPage = pageSender({
    webRoot: options.webRoot,
    site: services.landing,
    hasSession: (request) => cookie.read(request) !== undefined,
    isChart: (path) => findInstrumentAt(path) !== undefined,
    isAllowed: async (request, path) => {
      if (!isAdminPath(path)) return true
      const sessionValue = cookie.read(request)
      // Without a database the page comes and says what is wrong.
      return sessionValue !== undefined && services.auth.sessions.isOfAdmin(sessionValue).catch(() => true)
    },
  })
  const app = newApp(options, sendPage)
  app.removeContentTypeParser('text/plain')
  const events = new SecurityEvents(options.log)
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    events.noteError(error, request)
    handleError(error, request, reply)
  })
  app.addHook('onClose', () => events.close())
  addCommonHooks(app, { publicOrigin: options.publicOrigin, metrics: options.metrics, logShare: options.requestLogShare ?? 1 })
  if (options.drain !== undefined) addDrainHooks(app, options.drain)
  await app.register(cookiePlugin)

  const device = deviceCookie({ isHttps, key: options.keyFor('device'), now })
  const marketAdmin = marketAdminService({
    market: options.market,
    views,
    liveSockets: () => live.connections,
    verification: () => readVerifyReport(db),
    rejectedRows: () => readRejectedRows(db),
  })
  app.addHook('onReady', services.prepare)
  app.addHook('onClose', () => services.close())

  const serveOptions = serveFeatures(app, { services, now, cookie, device, marketAdmin })
  const liveState = () => ({ sockets: live.connections, ...live.deliveries })
  serve(app, api.calendarImport, calendarImportHandlers({ db, now }), serveOptions)
  serve(app, api.systemStatus, systemStatusHandlers({ status: options.status, live: liveState }), serveOptions)
  rejectOtherMethods(app, api)
  serveOpenApi(app, api, options.site.brandName)
  serveHealth(app, { readiness: options.readiness, drain: options.drain })
  const live = openLive(app, options, { cookie, events })
  if (options.outbox !== undefined) serveOutbox(app, options.outbox, pagePolicy(options.site.tradingViewMount))
  await servePages(app, {
    webRoot: options.webRoot,
    site: options.site,
    sendPage,
    isPage: isShown,
  })
  return app
}

/** Adds the live connections to the app's server. */
function openLive(
  app: FastifyInstance,
  options: AppOptions,
  { cookie, events }: { cookie: SessionCookie; events: SecurityEvents },
): LiveServer {
  const { db, services } = options
  const { auth, isHidden, views } = services
  const live = new LiveServer({
    server: app.server,
    db,
    views,
    own: services.own,
    clock: options.market.clock,
    cookieOf: (header) => cookie.read({ cookies: app.parseCookie(header ?? '') }),
    findSession: (sessionValue, token) => auth.sessions.findCurrent(sessionValue, token, false),
    isKnown: (sessionValue) => auth.sessions.isKnown(sessionValue),
    readSession: (id) => auth.sessions.findById(id),
    isHidden,
    attend: (session) => services.pages.attend(session),
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, options.publicOrigin),
    addressOf: addressReader(options.trustedProxies),
    connectionsMax: liveConnectionsMax,
    onRejected: (event, address) => events.note(event, address, basePath + livePath),
    onError: options.onError,
  })
  options.metrics?.read({
    tezi_live_sockets: () => live.connections,
    tezi_live_frames_sent_total: () => live.framesSent,
    tezi_live_deliveries: () => samplesBy('state', live.deliveries),
  })
  // Before the server stops listening, because open sockets would block its close.
  app.addHook('preClose', async () => {
    await services.pages.close()
    await live.close()
  })
  return live
}

interface RouteDeps {
  readonly services: Services
  readonly now: () => number
  readonly cookie: SessionCookie
  readonly device: DeviceCookie
  readonly marketAdmin: MarketAdminService
}

function serveFeatures(app: FastifyInstance, { services, now, cookie, device, marketAdmin }: RouteDeps): ServeOptions {
  const { audit, auth } = services
  const confirmPassword = passwordConfirmation({ ...services, cookie })
  const account = { ...services, cookie, device, confirmPassword, now }
  const serveOptions: ServeOptions = {
    idempotency: services.idempotency,
    findSession: (request, isUse) => sessionOf(request, cookie, auth.sessions, isUse),
    onAdminRejected: ({ user }, route, request) =>
      audit.accessRejected({ id: user._id, email: user.email }, `${route.method} ${route.path}`, callerOf(request).address),
  }
  serve(app, api.auth, authHandlers(account), serveOptions)
  serve(app, api.users, userHandlers, serveOptions)
  serve(app, api.sessions, sessionHandlers(account), serveOptions)
  serve(app, api.presence, presenceHandlers(services), serveOptions)
  serve(app, api.audit, auditHandlers({ audit, now }), serveOptions)
  serve(app, api.chart, chartHandlers(services), serveOptions)
  serve(app, api.marketData, candlesHandlers(services), serveOptions)
  serve(app, api.instruments, instrumentHandlers(services), serveOptions)
  serve(app, api.marketAdmin, marketAdminHandlers({ marketAdmin }), serveOptions)
  serve(app, api.adminInstruments, adminInstrumentHandlers(services), serveOptions)
  serve(app, api.plans, plansHandlers(services), serveOptions)
  serve(app, api.subscriptions, subscriptionsHandlers({ ...services, now }), serveOptions)
  serve(app, api.admin, adminHandlers({ ...services, now }), serveOptions)
  serve(app, api.passwords, passwordHandlers(account), serveOptions)
  serve(app, api.roles, roleHandlers(account), serveOptions)
  serve(app, api.email, emailHandlers(account), serveOptions)
  serve(app, api.factors, factorHandlers(account), serveOptions)
  serve(app, api.brokers, brokerHandlers(services), serveOptions)
  serve(app, api.workspace, workspaceHandlers(services), serveOptions)
  serve(app, api.privacy, privacyHandlers({ ...account, confirm: confirmPassword }), serveOptions)
  serve(app, api.errorReports, errorReportHandlers(services), serveOptions)
  return serveOptions
}
