// The built pages: which one answers a request, filled, compressed and with an ETag; each is made once for the same settings.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Site } from '#shared/base/site.ts'
import { noticePath } from '#shared/privacy/notice-version.ts'
import { fillPage } from './page-template.ts'

/** The app, which draws every page in the browser. */
export const appPage = 'index.html'

/** For an unknown address. */
export const missingPage = 'not-found.html'

const renderedPages = ['landing.html', 'login.html', 'login-mail.html', 'sign-up.html', 'privacy.html', missingPage] as const

export interface BuiltPage {
  readonly etag: string
  readonly scriptHash: string | undefined
  /** By content encoding. */
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

export interface Visit {
  readonly path: string
  readonly query: string
  readonly hasSession: boolean
  readonly isChart: boolean
}

/** File of the page for an address; the privacy notice is already rendered, and for visitors landing page and sign-in as well. */
export function pageFor({ path: asked, query, hasSession, isChart }: Visit, { hasMail }: Pick<Site, 'hasMail'>): string {
  if (asked === noticePath) return 'privacy.html'
  if (hasSession) return appPage
  if (isChart) return 'landing.html'
  if (asked !== '/login') return appPage
  const mode = new URLSearchParams(query).get('mode')
  if (mode === 'sign-up') return 'sign-up.html'
  return mode !== null ? appPage : hasMail ? 'login-mail.html' : 'login.html'
}

/** What the page's policy allows its one inline script by; undefined without such a script. */
function inlineScriptHash(html: string): string | undefined {
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1]
  return script === undefined ? undefined : `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/** Reads the pages once. A page that was not rendered at build time is the app's. */
export function openBuiltPages(webRoot: string): (name: string, site: Site, errorStatus?: Site['errorStatus']) => BuiltPage {
  const read = (name: string) => readFileSync(path.join(webRoot, name), 'utf8')
  const sources = new Map([[appPage, read(appPage)]])
  for (const name of renderedPages) if (existsSync(path.join(webRoot, name))) sources.set(name, read(name))
  // A changed price is a new object.
  const made = new WeakMap<Site, Map<string, BuiltPage>>()
  return (name, site, errorStatus) => {
    const pages = made.get(site) ?? new Map<string, BuiltPage>()
    made.set(site, pages)
    const key = `${name} ${errorStatus ?? ''}`
    const source = sources.get(name) ?? sources.get(appPage) ?? ''
    const page = pages.get(key) ?? buildPage(fillPage(source, errorStatus === undefined ? site : { ...site, errorStatus }))
    pages.set(key, page)
    return page
  }
}

/** The best encoding that a request accepts. */
export function encodingOf(accepted: string | string[] | undefined): keyof BuiltPage['bodies'] {
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
