// Build step: writes pages that need no session as the browser would render them. They carry the small web/start.ts instead of
// the app, and tokens that the server fills.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import { siteOfTokens } from '../../server/http/fill-page.ts'
import { defaultSite } from '../../shared/base/site.ts'
import { noticePath } from '../../shared/privacy/notice-version.ts'
import { loginText } from '../../shared/auth/text/en-login.ts'
import { privacyText } from '../../shared/privacy/text/en.ts'
import { statusPagesText } from '../../shared/app/text/en-status-pages.ts'

interface VisitorPage {
  readonly file: string
  readonly address: string
  /** Before the brand; the landing page has the title of index.html. */
  readonly title?: string
  readonly hasMail: boolean
}

const missingFile = 'not-found.html'

const pages: readonly VisitorPage[] = [
  { file: 'landing.html', address: '/', hasMail: false },
  { file: 'login.html', address: '/login', title: loginText.signInTitle, hasMail: false },
  { file: 'login-mail.html', address: '/login', title: loginText.signInTitle, hasMail: true },
  { file: 'sign-up.html', address: '/login?mode=sign-up', title: loginText.signUpTitle, hasMail: false },
  { file: 'privacy.html', address: noticePath, title: privacyText.title, hasMail: false },
  // Any address without a page.
  { file: missingFile, address: '/not-found', title: statusPagesText.notFound, hasMail: false },
]

type Manifest = Readonly<Record<string, { readonly file: string }>>
type Views = Readonly<Record<string, string>>

export function prerender(): Plugin {
  let folder = ''
  let root = ''
  return {
    name: 'prerender',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
      root = config.root
    },
    // After the build's own files, because it needs their names.
    closeBundle: async () => {
      const app = await readFile(join(folder, 'index.html'), 'utf8')
      const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
      const plain = await render(root, false)
      const withMail = await render(root, true)
      for (const page of pages) {
        const view = (page.hasMail ? withMail : plain)[page.address]
        if (view === undefined) throw new Error(`${page.address} is not rendered`)
        const content = withAssets(view, manifest)
        await writeFile(join(folder, page.file), documentOf(app, page, content, manifest))
      }
    },
  }
}

/** Runs the web client in Node, with tokens as the settings of the site. */
async function render(root: string, hasMail: boolean): Promise<Views> {
  const site = JSON.stringify({ ...siteOfTokens(defaultSite), hasMail })
  const tokens: Plugin = {
    name: 'site-of-tokens',
    enforce: 'pre',
    load: (id) => (id.endsWith('/web/lib/site.ts') ? `export const site = ${site}` : null),
  }
  const { module } = await runnerImport<{ prerenderedViews: Views }>(join(root, 'prerendered-views.tsx'), {
    root,
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    plugins: [tokens],
  })
  return module.prerenderedViews
}

/** Addresses of source files become those of the built ones. */
function withAssets(html: string, manifest: Manifest): string {
  return html.replace(/(?<=["\s,])\/((?:features|app)\/[\w./-]+)/g, (_, source: string) => {
    const asset = manifest[source]
    if (asset === undefined) throw new Error(`${source} is not in the build`)
    return `/${asset.file}`
  })
}

function documentOf(app: string, { file, address, title }: VisitorPage, content: string, manifest: Manifest): string {
  const start = manifest['start.ts']
  if (start === undefined) throw new Error('start.ts is not in the build')
  const page = app
    .replace('<html lang="en">', '<html lang="en" data-prerendered>')
    .replace(/\s*<script type="module"[^>]*><\/script>/, `\n    <script type="module" async src="/${start.file}"></script>`)
    .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
    .replace(/\s*<script[^>]*id="app-files"[^>]*>[^<]*<\/script>/, '')
    .replace('<div id="root"></div>', () => `<div id="root" data-elements="${content.match(/<[a-z]/g)?.length ?? 0}">${content}</div>`)
    .replaceAll(/(?<=rel="canonical" href="\{\{origin\}\})\//g, address.replace(/\?.*/, ''))
  const named = title === undefined ? page : page.replace(/<title>[^<]*<\/title>/, `<title>${title} · {{brandName}}</title>`)
  return file === missingFile ? named.replace(/\s*<link rel="canonical"[^>]*>/, '') : named
}
