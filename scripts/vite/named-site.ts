// In development the build tool serves the page, so it inserts the configured names as the server does in production.
import type { Plugin } from 'vite'
import { readProcessConfig } from '../../server/config/config.ts'
import { fillPage } from '../../server/http/fill-page.ts'

/** Reads the same environment as the server behind it. */
export function namedSite(): Plugin {
  return {
    name: 'named-site',
    apply: 'serve',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => fillPage(html, readProcessConfig().site),
    },
  }
}
