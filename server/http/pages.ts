// Serves the built pages: hashed assets for ever, the page itself with the operator's names and its policy.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultSite, siteElementId, type Site } from '#shared/base/site.ts'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'
import { commonHeaders, pagePolicy } from './security-headers.ts'

export interface PagesNeeds {
  /** Folder of the built web room; undefined serves no pages. */
  readonly webRoot: string | undefined
  readonly site: Site
  /** Whether a path is one of the product's pages; the others get the same page with status 404. */
  readonly isPage: (path: string) => boolean
}

/** Registers assets and the not-found handler that answers pages; what is below /api is never a page. */
export async function servePages(app: FastifyInstance, needs: PagesNeeds): Promise<void> {
  const page = needs.webRoot === undefined ? undefined : readPage(needs.webRoot, needs.site)
  if (needs.webRoot !== undefined) {
    await app.register(fastifyStatic, {
      root: path.resolve(needs.webRoot, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
    })
    serveRootFiles(app, needs.webRoot)
  }
  const headers = { ...commonHeaders, 'cache-control': 'no-cache', 'content-security-policy': pagePolicy(needs.site.tradingViewMount) }
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const [pathOnly = '/'] = request.url.split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (page === undefined || !isRead || isFileLike(pathOnly) || /^\/(api|udf|assets)(\/|$)/i.test(pathOnly))
      throw new AppError('not-found', httpText.notFound)
    return reply
      .code(needs.isPage(pathOnly) ? 200 : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(page)
  })
}

const rootTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** The few files that must lie at the root (icon, robots), each named at the start, so that no other file can be asked for. */
function serveRootFiles(app: FastifyInstance, webRoot: string): void {
  for (const name of readdirSync(webRoot)) {
    const type = rootTypes[path.extname(name)]
    if (type === undefined) continue
    const content = readFileSync(path.join(webRoot, name))
    app.get(`/${name}`, (_request, reply) => reply.header('cache-control', 'public, max-age=86400').type(type).send(content))
  }
}

/** A path with a dot or an escape in it asks for a file; pages have neither. */
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
