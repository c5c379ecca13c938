// Browser tests: one real server for all, a browser per worker.
import { defineConfig } from '@playwright/test'
import { browserFlags } from './scripts/browser-flags.ts'
import { ensureChromium } from './scripts/ensure-chromium.ts'

// Found or installed once by the runner; the workers, which read this file too, inherit it.
process.env['CHROME_PATH'] = ensureChromium()

/** Between runs on one machine no pixel differs; one thin line that is missing is several times this share of a chart. */
const tolerance = { threshold: 0.03, maxDiffPixelRatio: 0.0002 }

/** No name but the server's is found, so nothing leaves the machine; its second name is no secure context over plain http. */
const onlyThisMachine = '--host-resolver-rules=MAP tezi.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/harness/global-setup.ts',
  outputDir: '.cache/e2e/results',
  snapshotPathTemplate: 'e2e/screenshots/{arg}{ext}',
  // Missing screenshots fail the run instead of being written; `npm run test:visual:update` writes them.
  updateSnapshots: 'none',
  // Tests share nothing but the server; a file whose tests share more says so.
  fullyParallel: true,
  // Two cores are shared by the server, the browsers and the workers; a third worker made the whole run slower.
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  retries: 1,
  forbidOnly: true,
  // Nothing here is about speed, so a busy machine gets its time.
  timeout: 90_000,
  expect: { timeout: 20_000, toHaveScreenshot: tolerance, toMatchSnapshot: tolerance },
  reporter: [
    ['list'],
    ['html', { outputFolder: '.cache/e2e/report', open: 'never' }],
    ['./e2e/harness/flake-reporter.ts'],
    ['./e2e/harness/hostile-reporter.ts'],
  ],
  // `npm test` leaves out what `npm run test:slow` runs: long comparisons of pixels, and what waits for limits of the server.
  projects: [
    { name: 'fast', grepInvert: /@slow|@pictures|@languages/ },
    { name: 'slow', grep: /@slow/ },
    { name: 'pictures', grep: /@pictures/ },
    { name: 'languages', grep: /@languages/ },
  ],
  use: {
    launchOptions: { executablePath: process.env['CHROME_PATH'], args: [...browserFlags, onlyThisMachine] },
    // Tracing costs processor time in every test, so only the retry records one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
