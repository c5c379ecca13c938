// Builds and serves the web room; the server room needs no build.
import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { readBudget } from './scripts/first-load.ts'
import { appFiles } from './scripts/vite/app-files.ts'
import { withoutCalendarSources } from './scripts/vite/calendar-sources.ts'
import { checkedPage } from './scripts/vite/checked-page.ts'
import { entry, languagesMode } from './scripts/vite/entry.ts'
import { inlineRescue } from './scripts/vite/inline-rescue.ts'
import { namedSite } from './scripts/vite/named-site.ts'
import { pageChunks } from './scripts/vite/page-chunks.ts'
import { prerender } from './scripts/vite/prerender.ts'
import { precompress } from './scripts/vite/precompress.ts'
import { say } from './scripts/vite/say.ts'
import { retriedImports } from './scripts/vite/retried-imports.ts'
import { sourceMaps } from './scripts/vite/source-maps.ts'

const api = { target: `http://127.0.0.1:${process.env['PORT'] ?? 3000}`, changeOrigin: false }

export default defineConfig(({ mode }) => ({
  root: resolve(import.meta.dirname, 'web'),
  plugins: [
    say('buildStart', 'reading the sources'),
    say('renderStart', 'writing scripts and styles'),
    entry(),
    inlineRescue(),
    react(),
    tailwindcss(),
    withoutCalendarSources(),
    retriedImports(),
    appFiles([
      'app/open-app.tsx',
      'app/shell/shell.tsx',
      'app/screens/chart-screen.tsx',
      'features/chart/native/native-stage.tsx',
      'features/auth/auth-calls.ts',
    ]),
    // The entry of more languages must not share a file with the app, which would be evaluated first.
    ...(mode === languagesMode ? [] : [pageChunks(readBudget().pages)]),
    checkedPage(),
    namedSite(),
    // Prerendered pages are in English.
    ...(mode === languagesMode ? [] : [say('closeBundle', 'rendering landing page and sign-in'), prerender()]),
    say('closeBundle', 'compressing'),
    precompress(),
    sourceMaps(),
  ],
  build: {
    outDir: resolve(import.meta.dirname, mode === languagesMode ? '.cache/languages/web' : 'dist/web'),
    emptyOutDir: true,
    // No comment in the scripts names them; source-maps.ts moves them to dist/source-maps.
    sourcemap: 'hidden',
    // Tells the byte budget which files a page loads.
    manifest: true,
    // A font or picture inside a style sheet as data: would be refused by the page's own security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'start.ts'].map((name) => resolve(import.meta.dirname, 'web', name)),
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Changes with an upgrade only, so a returning visitor keeps it through our releases.
            { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\// },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env['WEB_PORT'] || 5173),
    strictPort: true,
    proxy: { '/api': { ...api, ws: true }, '/healthz': api, '/readyz': api, '/dev/outbox': api },
  },
}))
