// Finds a Chromium for the browser tests, and installs one if there is none.
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { firstThatAnswers, installByApt, succeeds } from './installed-programs.ts'

const wellKnown = [
  // Opens pages in about three quarters of the time of the full browser; committed screenshots are made with it.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Path of a working Chromium: `CHROME_PATH`, an installed one, or Playwright's own; undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROME_PATH']
  if (named !== undefined && named !== '') return named
  return firstThatAnswers([...wellKnown, chromium.executablePath()])
}

/**
 * The same, after installing one if none was found.
 * @throws Error with instructions if nothing could be installed; browser tests are never skipped
 */
export function ensureChromium(): string {
  const found = findChromium() ?? installAndFind()
  if (found !== undefined) return found
  throw new Error('No Chromium found and none could be installed. Install chromium or Google Chrome, or set CHROME_PATH to one.')
}

function installAndFind(): string | undefined {
  for (const install of [() => installByApt(['chromium-headless-shell', 'chromium']), installByPlaywright]) {
    const found = install() ? findChromium() : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function installByPlaywright(): boolean {
  return succeeds([process.execPath, join(import.meta.dirname, '../node_modules/playwright-core/cli.js'), 'install', 'chromium'])
}
