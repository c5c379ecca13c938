// Time to the first tick of the default chart for a user: from pressing Enter in the sign-in form, and from opening the page.
// Usage: node lab/bench/first-tick.ts [rounds]   (default 7; the first one uses a server that has just started; needs a built page)
import { chromium } from 'playwright-core'
import { browserFlags } from '../../scripts/browser-flags.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { startServer } from '../../e2e/harness/server-process.ts'

const rounds = Number(process.argv[2] ?? 7)
const [email, password] = ['first-tick@tezi.example', 'Kesar-Chai-Kesar-42']

const server = await startServer({ RATE_LIMITS: 'off' })
const reply = await fetch(new URL('/api/v1/auth/sign-up', server.origin), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Asha Rao', email, phone: '9876543210', password, confirmPassword: password }),
})
if (!reply.ok) throw new Error(`The sign-up answered ${reply.status}: ${await reply.text()}`)
const browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args: browserFlags })
const table: Record<string, number>[] = []
for (let round = 0; round < rounds; round += 1) table.push(await measure())
console.table(table)
await browser.close()
await server.stop()

async function measure(): Promise<Record<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${server.origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  const pressedMs = performance.now()
  await page.waitForURL((url) => url.pathname === '/')
  const arrivedMs = performance.now()
  const legend = page.getByTestId('chart-legend')
  await legend.waitFor()
  const shownMs = performance.now()
  const first = await legend.textContent()
  await page.waitForFunction((text) => document.querySelector('[data-testid=chart-legend]')?.textContent !== text, first)
  const tickMs = performance.now()
  await context.close()
  const after = (fromMs: number, toMs: number) => Math.round(toMs - fromMs)
  return {
    'arrival after Enter, ms': after(pressedMs, arrivedMs),
    'candles after arrival, ms': after(arrivedMs, shownMs),
    'first tick after arrival, ms': after(arrivedMs, tickMs),
  }
}
