// The whole server as a function of its needs: cross-cutting parts first, then the features, in reading order.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import path from 'node:path'
import cookiePlugin from '@fastify/cookie'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { api } from '#shared/api.ts'
import type { Site } from '#shared/base/site.ts'
import { AppError, problemOf } from '#shared/http/errors.ts'
import { basePaths } from '#shared/http/route.ts'
import { isPage } from '#shared/base/pages.ts'
import { httpText } from '#shared/text/en/http.ts'
import type { Db } from './db/database.ts'
import { auditService } from './features/audit/service.ts'
import { authHandlers } from './features/auth/routes.ts'
import type { PasswordHasher } from './features/auth/password.ts'
import { selfHandlers } from './features/auth/self-routes.ts'
import { selfService } from './features/auth/self-service.ts'
import { authService } from './features/auth/service.ts'
import { errorReportHandlers } from './features/error-reports/routes.ts'
import { errorReportsService } from './features/error-reports/service.ts'
import { serveOutbox, type MailsKept } from './features/mail-outbox/outbox-page.ts'
import { candlesService } from './features/market/history/candles-service.ts'
import { serveLive } from './features/market/live/live-server.ts'
import { marketData, type MarketWiring } from './features/market/market-data.ts'
import { operatorHandlers } from './features/market/operator/operator-routes.ts'
import { operatorService } from './features/market/operator/operator-service.ts'
import { marketHandlers } from './features/market/routes.ts'
import { marketService } from './features/market/service.ts'
import { udfHandlers } from './features/market/udf/udf-routes.ts'
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
import { limitAddress } from './http/address.ts'
import { answerError } from './http/errors.ts'
import { databaseIdempotency } from './http/idempotency.ts'
import type { Limits } from './http/limits.ts'
import { serveOpenApi } from './http/openapi.ts'
import { isOwnOrigin, refuseForeignOrigin } from './http/origin-guard.ts'
import { servePages } from './http/pages.ts'
import { apiHeaders, commonHeaders, pagePolicy } from './http/security-headers.ts'
import { bodyLimitBytesDefault, refuseOtherMethods, serve, type Gate } from './http/serve.ts'
import { callerOf, findSession, sessionCookie } from './http/session.ts'
import type { Mailer } from './mail/mailer.ts'

/** Sockets of live candles at once; each holds some 20 kB here and as much in the kernel. */
const liveConnectionsMax = 20_000

export interface AppNeeds {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly market: MarketWiring
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly publicOrigin: string | undefined
  readonly trustedProxies: readonly string[]
  readonly site: Site
  /** Undefined where no mail can be sent. */
  readonly mailer: Mailer | undefined
  /** Where the mailer only keeps its mails: what it keeps, to be read at `/dev/outbox`. */
  readonly outbox?: MailsKept | undefined
  /** Origin that links in mails lead to. */
  readonly linkOrigin: string
  readonly webRoot: string | undefined
  /** An HTTP server that already listens; without it one that does not listen is made. */
  readonly server?: Server
}

/** Builds the app; it opens nothing and listens to nothing. */
export async function buildApp(needs: AppNeeds): Promise<FastifyInstance> {
  const { db, now } = needs
  const app = fastify({
    loggerInstance: needs.log,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytesDefault,
    trustProxy: needs.trustedProxies.length === 0 ? false : [...needs.trustedProxies],
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    clientErrorHandler: answerBrokenHttp,
    // These never reach the hooks, so they get their headers here.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(apiHeaders).header('x-request-id', request.id)),
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    serverFactory: (handler) => (needs.server ?? createServer()).on('request', handler),
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  addCommonHooks(app, needs)
  await app.register(cookiePlugin)

  const cookie = sessionCookie(needs.publicOrigin?.startsWith('https:') === true)
  const { limits, presence, hasher } = needs
  const onError = (error: unknown) => needs.log.error({ err: error }, 'background work failed')
  const audit = auditService({ db, limits, now })
  const auth = authService({ db, limits, presence, hasher, now, onError })
  const self = selfService({
    db,
    limits,
    presence,
    hasher,
    now,
    onError,
    mailer: needs.mailer,
    linkOrigin: needs.linkOrigin,
    brandName: needs.site.brandName,
  })
  const users = usersService({ db, presence, now })
  const data = marketData(needs.market, onError)
  const market = marketService({ db, now })
  const shown = { ...data, sources: data.views, now: () => needs.market.clock.now() }
  const candles = candlesService(shown)
  const udf = udfService(shown)
  const operator = operatorService({ market: needs.market, views: data.views, liveSockets: () => live.connections })
  const plans = plansService({ db, audit, now })
  const subscriptions = subscriptionsService({ db, limits, now })
  const adminUsers = adminUsersService({ db, now })
  const workspaces = workspaceService({ db, now })
  const privacy = privacyService({ db, limits, presence, now, onError })
  // The build moves its source maps beside the folder that is public.
  const sourceMaps = needs.webRoot === undefined ? undefined : path.join(needs.webRoot, '../source-maps')
  const errorReports = errorReportsService({ limits, sourceMaps })
  app.addHook('onClose', () => self.settle())

  const gate: Gate = {
    idempotency: databaseIdempotency({ db, now }),
    find: (request, isUse) => findSession(request, cookie, auth, isUse),
    onAdminRefused: ({ user }, route, request) =>
      audit.accessRefused({ id: user._id, email: user.email }, `${route.method} ${route.path}`, callerOf(request).address),
  }
  serve(app, api.auth, authHandlers({ auth, cookie }), gate)
  serve(app, api.users, usersHandlers({ auth, users }), gate)
  serve(app, api.market, marketHandlers({ market, candles }), gate)
  serve(app, api.adminMarket, operatorHandlers({ operator }), gate)
  serve(app, api.udf, udfHandlers({ udf }), gate)
  serve(app, api.plans, plansHandlers({ plans }), gate)
  serve(app, api.subscriptions, subscriptionsHandlers({ subscriptions }), gate)
  serve(app, api.admin, adminHandlers({ adminUsers, audit, passwords: self }), gate)
  serve(app, api.self, selfHandlers({ self }), gate)
  serve(app, api.workspace, workspaceHandlers({ workspaces }), gate)
  serve(app, api.privacy, privacyHandlers({ privacy, cookie, confirm: (session, form) => self.confirm(session, form) }), gate)
  serve(app, api.errorReports, errorReportHandlers({ errorReports }), gate)
  refuseOtherMethods(app, api)
  serveOpenApi(app, api, needs.site.brandName)
  serveHealth(app, db)
  const live = serveLive({
    server: app.server,
    db,
    views: data.views,
    clock: needs.market.clock,
    findSession: (cookies, token) => auth.findCurrent(cookie.read({ cookies: app.parseCookie(cookies ?? '') }), token, false),
    seriesFor: (user, instrument) => data.seriesFor(user, instrument),
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, needs.publicOrigin),
    // Behind a proxy every socket comes from the proxy, which has to count by itself.
    addressOf: ({ socket }) => (needs.trustedProxies.length > 0 ? undefined : limitAddress(socket.remoteAddress ?? '')),
    connectionsMax: liveConnectionsMax,
    onError,
  })
  // Before the server stops listening, because an open socket would keep it from ending.
  app.addHook('preClose', () => live.close())
  app.addHook('onClose', () => data.views.close())
  if (needs.outbox !== undefined) serveOutbox(app, { outbox: needs.outbox, policy: pagePolicy(needs.site.tradingViewMount) })
  await servePages(app, { webRoot: needs.webRoot, site: needs.site, isPage })
  return app
}

function addCommonHooks(app: FastifyInstance, needs: AppNeeds): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(basePaths.some((base) => request.url.startsWith(`${base}/`)) ? apiHeaders : commonHeaders)
      .header('x-request-id', request.id)
    refuseForeignOrigin(request, needs.publicOrigin)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The path without its query, because people paste secrets into queries.
    const entry = {
      method: request.method,
      path: pathForLog(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
    }
    request.log.info(entry, 'request')
    done()
  })
}

function pathForLog(request: FastifyRequest): string {
  return request.routeOptions.url ?? (request.url.split('?')[0] ?? '').slice(0, 200)
}

function serveHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    try {
      await sql`select 1`.execute(db)
    } catch (error) {
      app.log.error({ err: error }, 'database does not answer')
      throw new AppError('unavailable', httpText.busy, { code: 'http.not-ready', retryAfterSeconds: 2 })
    }
    return { status: 'ready' }
  })
}

/** Answers what is no HTTP at all, or too slow or too large to become a request. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431', 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408', 'Request Timeout']
        : ['400', 'Bad Request']
  const body = JSON.stringify({ ...problemOf(new AppError('invalid', httpText.badRequest)), statuscode: Number(status) })
  const headers = Object.entries({
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`)
}
