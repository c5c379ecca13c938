// Serves the built pages: hashed assets with long caching, the page itself with the configured names and its policy.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultSite, siteElementId, type Site } from '#shared/base/site.ts'
import { AppError } from '#shared/http/errors.ts'
import { httpServerText } from '#shared/text/en/http.ts'
import { commonHeaders, pagePolicy } from './security-headers.ts'

export interface PagesOptions {
  /** Folder of the built web client; undefined serves no files. */
  readonly webRoot: string | undefined
  /** Undefined serves no pages. */
  readonly sendPage: SendPage | undefined
  /** Whether a path is one of the product's pages; others get the same page with status 404. */
  readonly isPage: (path: string) => boolean
}

/** Sends the page with a status; the router in it shows 400 and 405, which no address reveals. */
export type SendPage = (reply: FastifyReply, status: 200 | 400 | 404 | 405) => FastifyReply

/** Reads the page, once at startup; undefined without a web client. */
export function pageSender(webRoot: string | undefined, site: Site): SendPage | undefined {
  if (webRoot === undefined) return undefined
  const page = readPage(webRoot, site)
  const errorPages = new Map(
    ([400, 405] as const).map((errorStatus) => [errorStatus as number, readPage(webRoot, { ...site, errorStatus })]),
  )
  const headers = { ...commonHeaders, 'cache-control': 'no-cache', 'content-security-policy': pagePolicy(site.tradingViewMount) }
  return (reply, status) =>
    reply
      .code(status)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(errorPages.get(status) ?? page)
}

/** True for a request that a person makes in the address bar: no call, no asset. */
export function isPageRequest(request: FastifyRequest): boolean {
  return isRead(request) && !/^\/(api|udf|assets)(\/|$)/i.test(pathOf(request))
}

/** Registers assets, the redirect of pages in other letters, and the handlers that send the page. */
export async function servePages(app: FastifyInstance, { webRoot, sendPage, isPage }: PagesOptions): Promise<void> {
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
    serveRootFiles(app, webRoot)
  }
  if (sendPage !== undefined)
    // Before the body is read, whose type would be rejected first.
    app.addHook('onRequest', (request, reply, done) => {
      if (isRead(request) || !isPage(pathOf(request))) return done()
      sendPage(reply.header('allow', 'GET, HEAD'), 405)
    })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const asked = pathOf(request)
    if (sendPage === undefined || !isPageRequest(request) || isFileLike(asked)) throw new AppError('not-found', httpServerText.notFound)
    const known = asked.toLowerCase()
    if (known !== asked && isPage(known)) return reply.redirect(known + request.url.slice(asked.length), 301)
    return sendPage(reply, isPage(asked) ? 200 : 404)
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
}

/** The few files at the root (icon, robots), listed at startup, so that no other file can be requested. */
function serveRootFiles(app: FastifyInstance, webRoot: string): void {
  for (const name of readdirSync(webRoot)) {
    const type = rootTypes[path.extname(name)]
    if (type === undefined) continue
    const content = readFileSync(path.join(webRoot, name))
    app.get(`/${name}`, (_request, reply) => reply.header('cache-control', 'public, max-age=86400').type(type).send(content))
  }
}

/** A path with a dot or an escape is a file request; pages have neither. */
function isFileLike(pathOnly: string): boolean {
  return /[.%\\]/.test(pathOnly)
}

function readPage(webRoot: string, site: Site): string {
  const json = JSON.stringify(site).replaceAll('<', String.raw`\u003c`)
  const html = readFileSync(path.join(webRoot, 'index.html'), 'utf8')
  return html
    .replace(
      new RegExp(`(<script[^>]*id="${siteElementId}"[^>]*>)[^<]*(</script>)`),
      (_, open: string, close: string) => open + json + close,
    )
    .replace(
      /<title>([^<]*)<\/title>/,
      (_, title: string) => `<title>${title.replace(defaultSite.brandName, escapeText(site.brandName))}</title>`,
    )
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
