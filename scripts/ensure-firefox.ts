// Finds a Firefox for the browser test that runs in it, and installs Debian's if there is none.
import { firstThatAnswers, installByApt } from './installed-programs.ts'

const wellKnown = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/**
 * Path of a working Firefox: `FIREFOX_PATH`, an installed one, or one that was installed now.
 * @throws Error with instructions if nothing could be installed; browser tests are never skipped
 */
export function ensureFirefox(): string {
  const named = process.env['FIREFOX_PATH']
  if (named !== undefined && named !== '') return named
  const found = firstThatAnswers(wellKnown) ?? (installByApt(['firefox-esr', 'firefox']) ? firstThatAnswers(wellKnown) : undefined)
  if (found !== undefined) return found
  throw new Error('No Firefox found and none could be installed. Install firefox-esr or Firefox, or set FIREFOX_PATH to one.')
}
