// In development the build tool serves the page, so it inserts the configured names as the server does in production.
import type { Plugin } from 'vite'
import { readProcessConfig } from '../../server/config.ts'

const dataBlock = /(<script type="application\/json" id="site">)[^<]*(<\/script>)/

/** Reads the same environment as the server behind it. */
export function namedSite(): Plugin {
  return {
    name: 'named-site',
    apply: 'serve',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const json = JSON.stringify(readProcessConfig().site).replaceAll('<', String.raw`\u003c`)
        return html.replace(dataBlock, (_, open: string, close: string) => open + json + close)
      },
    },
  }
}
