// Serves the built pages: hashed assets with long caching, the page of an address with the configured names and its policy.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '#shared/base/site.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noticePath } from '#shared/privacy/notice-version.ts'
import { escapeJson, escapeMarkup, fillPage, fillTokens } from './fill-page.ts'
import { pagePolicy, securityHeaders } from './security-headers.ts'

/** The app, which draws every page in the browser. */
const appPage = 'index.html'

/** For an unknown address. */
const missingPage = 'not-found.html'

const renderedPages = ['landing.html', 'login.html', 'login-mail.html', 'sign-up.html', 'privacy.html', missingPage] as const

interface PagesOptions {
  /** Folder of the built web client; undefined serves no files. */
  readonly webRoot: string | undefined
  readonly site: Site
  /** Undefined serves no pages. */
  readonly sendPage: SendPage | undefined
  /** Whether a path is one of the product's pages; others get the same page with status 404. */
  readonly isPage: (path: string) => boolean
}

interface PageSenderOptions {
  readonly webRoot: string | undefined
  /** The settings with today's claims and prices; never rejects. */
  readonly site: () => Promise<Site>
  readonly hasSession: (request: FastifyRequest) => boolean
  readonly isChart: (path: string) => boolean
  /** Whether the request may open this page; only its status depends on it. */
  readonly isAllowed: (request: FastifyRequest, path: string) => Promise<boolean>
}

/** Sends the page with a status; the router in it shows 400 and 405, which no address reveals. */
export type SendPage = (reply: FastifyReply, status: 200 | 400 | 404 | 405) => Promise<FastifyReply>

/** Reads the pages, once at startup; undefined without a web client. */
export function pageSender({ webRoot, site: readSite, hasSession, isChart, isAllowed }: PageSenderOptions): SendPage | undefined {
  if (webRoot === undefined) return undefined
  const page = openBuiltPages(webRoot)
  return async (reply, requestedStatus) => {
    const site = await readSite()
    const { request } = reply
    const visit = { path: pathOf(request), query: request.url.split('?')[1] ?? '' }
    const needsAccess = requestedStatus === 200 || requestedStatus === 404
    const status = needsAccess && !(await isAllowed(request, visit.path)) ? 403 : requestedStatus
    const name =
      status === 404
        ? missingPage
        : status === 200
          ? pageFor({ ...visit, hasSession: hasSession(request), isChart: isChart(visit.path) }, site)
          : appPage
    const { etag, bodies, scriptHash } = page(name, site, status === 400 || status === 405 ? status : undefined)
    const encoding = encodingOf(request.headers['accept-encoding'])
    const headers = {
      ...securityHeaders,
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy(site.tradingViewMount, scriptHash),
      // A sign-in changes the page of an address.
      vary: 'accept-encoding, cookie',
      etag,
    }
    if (status === 200 && request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).headers(headers).send()
    if (encoding !== 'identity') void reply.header('content-encoding', encoding)
    return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(bodies[encoding])
  }
}

/** True for a request that a person makes in the address bar: no call, no asset. */
export function isPageRequest(request: FastifyRequest): boolean {
  return isRead(request) && !/^\/(api|assets)(\/|$)/i.test(pathOf(request))
}

/** Registers assets, the redirect of pages in other letters, and the handlers that send the page. */
export async function servePages(app: FastifyInstance, { webRoot, site, sendPage, isPage }: PagesOptions): Promise<void> {
  if (webRoot !== undefined) {
    await app.register(fastifyStatic, {
      root: path.resolve(webRoot, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
    })
    serveRootFiles(app, webRoot, site)
  }
  if (sendPage !== undefined)
    // Before the body is read, whose type would be rejected first.
    app.addHook('onRequest', (request, reply, done) => {
      if (isRead(request) || !isPage(pathOf(request))) return done()
      void sendPage(reply.header('allow', 'GET, HEAD'), 405)
    })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const requested = pathOf(request)
    if (sendPage === undefined || !isPageRequest(request) || isFileLike(requested)) throw new AppError('not-found', 'http.notFound')
    const lowerCase = requested.toLowerCase()
    if (lowerCase !== requested && isPage(lowerCase)) return reply.redirect(lowerCase + request.url.slice(requested.length), 301)
    return sendPage(reply, isPage(requested) ? 200 : 404)
  })
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '/'
}

const rootTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
  '.jpg': 'image/jpeg',
}

const escapes: Readonly<Record<string, (text: string) => string>> = {
  '.txt': (text) => text,
  '.xml': escapeMarkup,
  '.webmanifest': escapeJson,
}

/** The few files at the root (icons, robots, site map), listed at startup, so that no other file can be requested. */
function serveRootFiles(app: FastifyInstance, webRoot: string, site: Site): void {
  for (const name of readdirSync(webRoot)) {
    const type = rootTypes[path.extname(name)]
    if (type === undefined) continue
    const bytes = readFileSync(path.join(webRoot, name))
    const escape = escapes[path.extname(name)]
    const content = escape === undefined ? bytes : fillTokens(bytes.toString(), site, escape)
    app.get(`/${name}`, (_request, reply) => reply.header('cache-control', 'public, max-age=86400').type(type).send(content))
  }
}

/** A path with a dot or an escape is a file request; pages have neither. */
function isFileLike(pathOnly: string): boolean {
  return /[.%\\]/.test(pathOnly)
}

interface BuiltPage {
  readonly etag: string
  readonly scriptHash: string | undefined
  /** By content encoding. */
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

interface PageVisit {
  readonly path: string
  readonly query: string
  readonly hasSession: boolean
  readonly isChart: boolean
}

/** File of the page for an address; the privacy notice is already rendered, and for visitors landing page and sign-in as well. */
function pageFor({ path: requested, query, hasSession, isChart }: PageVisit, { hasMail }: Pick<Site, 'hasMail'>): string {
  if (requested === noticePath) return 'privacy.html'
  if (hasSession) return appPage
  if (isChart) return 'landing.html'
  if (requested !== '/login') return appPage
  const mode = new URLSearchParams(query).get('mode')
  if (mode === 'sign-up') return 'sign-up.html'
  return mode !== null ? appPage : hasMail ? 'login-mail.html' : 'login.html'
}

/** What the page's policy allows its one inline script by; undefined without such a script. */
function inlineScriptHash(html: string): string | undefined {
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1]
  return script === undefined ? undefined : `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/** Reads the pages once; each is filled and compressed once for the same settings. One that was not rendered at build time is the app's. */
function openBuiltPages(webRoot: string): (name: string, site: Site, errorStatus?: Site['errorStatus']) => BuiltPage {
  const read = (name: string) => readFileSync(path.join(webRoot, name), 'utf8')
  const sources = new Map([[appPage, read(appPage)]])
  for (const name of renderedPages) if (existsSync(path.join(webRoot, name))) sources.set(name, read(name))
  // A changed price is a new object.
  const cache = new WeakMap<Site, Map<string, BuiltPage>>()
  return (name, site, errorStatus) => {
    const pages = cache.get(site) ?? new Map<string, BuiltPage>()
    cache.set(site, pages)
    const key = `${name} ${errorStatus ?? ''}`
    const source = sources.get(name) ?? sources.get(appPage) ?? ''
    const page = pages.get(key) ?? buildPage(fillPage(source, errorStatus === undefined ? site : { ...site, errorStatus }))
    pages.set(key, page)
    return page
  }
}

/** The best encoding that a request accepts. */
function encodingOf(accepted: string | string[] | undefined): keyof BuiltPage['bodies'] {
  const offered = String(accepted ?? '').split(',')
  const accepts = (name: string) => offered.some((item) => new RegExp(String.raw`^\s*${name}\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$`).test(item))
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}

function buildPage(html: string): BuiltPage {
  const identity = Buffer.from(html)
  return {
    scriptHash: inlineScriptHash(html),
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`,
    bodies: {
      br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      gzip: gzipSync(identity),
      identity,
    },
  }
}
