// Finds a Chromium for the browser tests, and installs one if there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

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
  return [...wellKnown, chromium.executablePath()].find((path) => existsSync(path) && answers(path))
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
  for (const install of [installByApt, installByPlaywright]) {
    const found = install() ? findChromium() : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function installByApt(): boolean {
  if (!existsSync('/usr/bin/apt-get')) return false
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive']
  return (
    succeeds([...sudo, 'apt-get', 'update']) &&
    ['chromium-headless-shell', 'chromium'].some((name) =>
      succeeds([...sudo, ...env, 'apt-get', 'install', '-y', '--no-install-recommends', name]),
    )
  )
}

function installByPlaywright(): boolean {
  return succeeds([process.execPath, join(import.meta.dirname, '../node_modules/playwright-core/cli.js'), 'install', 'chromium'])
}

function succeeds([program = '', ...args]: string[]): boolean {
  console.log(`> ${program} ${args.join(' ')}`)
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

// Ubuntu's chromium-browser is a stub that only refers to another installer, so existence is not enough.
function answers(path: string): boolean {
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}
