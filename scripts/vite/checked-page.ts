// Build step: names the build, preloads the one font file that every page needs, and rejects inline code, which the policy would block.
import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

const fontName = /inter-latin-wght-normal-[\w-]+\.woff2$/
const inlineStyle = /<style[\s>]|\sstyle=/i
const inlineHandler = /\son[a-z]+=/i
const scripts = /<script([^>]*)>([\s\S]*?)<\/script>/gi
const looseDataBlock = /(<script type="application\/(?:ld\+)?json" id="[\w-]+">)\s*\{\}\s*(<\/script>)/g
const dataBlock = '<script type="application/json" id="site">{}</script>'

/** Fails the build with the reason. */
export function checkedPage(): Plugin {
  return {
    name: 'checked-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (source, { bundle }) => {
        // The formatter breaks the blocks into lines; the server needs them in one line.
        const html = source.replaceAll(looseDataBlock, '$1{}$2')
        const issue = findIssue(html)
        if (issue !== undefined) throw new Error(`index.html: ${issue}`)
        const font = Object.keys(bundle ?? {}).find((name) => fontName.test(name))
        if (font === undefined) throw new Error('index.html: the font to preload is not in the build')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        const build = createHash('sha256')
          .update(
            Object.keys(bundle ?? {})
              .toSorted()
              .join(),
          )
          .digest('hex')
          .slice(0, 12)
        // Told from a newer one by web/lib/load-part.ts.
        const meta = { tag: 'meta', injectTo: 'head-prepend' as const, attrs: { name: 'build', content: build } }
        return { html, tags: [meta, { tag: 'link', injectTo: 'head-prepend', attrs }] }
      },
    },
  }
}

function findIssue(html: string): string | undefined {
  if (!html.includes(dataBlock)) return 'the block that the server fills is missing'
  if (inlineStyle.test(html)) return 'inline style'
  const markup = html.replace(scripts, (_, attributes: string, text: string) =>
    text.trim() === '' || attributes.includes('application/json') || attributes.includes('application/ld+json')
      ? ''
      : attributes === ''
        ? '<rescue>'
        : '<inline>',
  )
  // The server allows one script by its hash.
  if (markup.includes('<inline>') || markup.split('<rescue>').length > 2) return 'inline script'
  return inlineHandler.test(markup) ? 'inline event handler' : undefined
}
