// The walk through all screens in the pseudo-locale: its server, its texts and what it accepts.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { chartPaths, findInstrumentAt } from '../../shared/instruments/instruments.ts'
import { english as source } from '../../shared/messages/english.ts'
import { pseudoOf } from '../../web/pseudo-locale.ts'
import { startOwnServer, type OwnServer } from './own-server.ts'
import { collectCanvasTexts, readPageTexts } from './page-texts.ts'
import { putPlan } from './plans.ts'
import { sql } from './sql.ts'
import { phone, test as base, type Open, type OpenOptions } from './test.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const tag = 'en-XA'

/** The texts of the pages, by their keys. */
export const text = pseudoOf(source) as typeof source

export interface Walk {
  /** Opens a page in the pseudo-locale. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>
  /** Judges what the page shows now. */
  readonly look: (page: Page, screen: string) => Promise<void>
  readonly server: OwnServer
  readonly isPhone: boolean
  readonly pageErrors: string[]
}

/** The start of a walk; `findings` fails the test at its end, with everything found. */
export const test = base.extend<{ walk: Walk; size: OpenOptions['size'] }, { languagesServer: OwnServer }>({
  size: [undefined, { option: true }],
  languagesServer: [
    async ({}, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'tezi-languages-'))
      const webRoot = path.join(folder, 'web')
      const vite = path.join(root, 'node_modules/vite/bin/vite.js')
      await run(process.execPath, [vite, 'build', '--mode', 'languages', '--outDir', webRoot, '--logLevel', 'error'], { cwd: root })
      // With mail and brokers, whose sections are missing otherwise.
      const settings = { NODE_ENV: 'development', SECRET_KEY: randomBytes(32).toString('base64'), E2E_WEB_ROOT: webRoot }
      const server = await startOwnServer(settings, path.join(import.meta.dirname, 'languages-server.ts'))
      // The first admin's name is an English word.
      await sql(`update users set name = 'Asha Rao'`, [], server.databaseUrl)
      await putPlan('regular', server.databaseUrl)
      await putPlan('crypto', server.databaseUrl)
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  walk: async ({ open, pageErrors, languagesServer: server, size }, use) => {
    const findings = new Map<string, string>()
    await use({
      server,
      pageErrors,
      isPhone: size === phone,
      open: opener(open, server, size),
      look: (page, screen) => look(page, screen, findings),
    })
    expect([...findings].map(([finding, screen]) => `${screen}: ${finding}`)).toEqual([])
  },
})

function opener(open: Open, server: OwnServer, size: OpenOptions['size']): Walk['open'] {
  return async (address, options = {}) => {
    const { page } = await open(address, {
      ...(size === undefined ? {} : { size }),
      origin: server.origin,
      ...options,
      before: async (fresh, widget) => {
        await fresh.addInitScript((language) => localStorage.setItem('language', language), tag)
        await collectCanvasTexts(fresh)
        await options.before?.(fresh, widget)
      },
    })
    return page
  }
}

async function look(page: Page, screen: string, findings: Map<string, string>): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
  const { lang, texts, clipped, sideways } = await readPageTexts(page)
  // Each once, at the first screen that has it.
  const add = (finding: string) => (findings.has(finding) ? undefined : findings.set(finding, screen))
  if (lang !== tag) add(`the language is ${lang}`)
  if (sideways > 0) add(`scrolls sideways by ${sideways} pixels`)
  for (const words of texts) if (isEnglish(words)) add(`in English: ${words}`)
  for (const element of clipped) add(`clipped: ${element}`)
}

/** Parts of texts that are the same in every language, with the reason. */
const sameInAll: readonly (readonly [reason: string, words: RegExp])[] = [
  // First, because parts of them look like timeframes.
  ['secrets', /^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$|^([a-z2-9]{6}-){3}[a-z2-9]{6}$/g],
  ['people, accounts and their devices', /Asha Rao|[\w.+-]+@[\w.-]+|^test$/g],
  [
    'names of companies, products and sources',
    /Tezi( demo| Charts)?|TradingView|Twelve Data|Kraken( spot market, not bank rates)?|Yahoo Finance|Coinbase|Binance( Pay)?|Zerodha Kite|OpenAlgo|imported file|PAX Gold token \(PAXG\)/g,
  ],
  [
    'substitutes, as their sellers name them',
    /S&P 500 CFD by FOREX\.com|India 50 CFD by StoneX|Gold spot by OANDA|Nippon India Nifty Bank BeES ETF/g,
  ],
  [
    'payment rails, networks and their addresses',
    /^UPI$|BINANCE(?!:)|TRC-20 \(Tron\)|BEP-20 \(BNB Smart Chain\)|ERC-20 \(Ethereum\)|Polygon|T[1-9A-HJ-NP-Za-km-z]{33}/g,
  ],
  ['addresses of pages', /https?:\/\/[\w.:/]*/g],
  ['symbols of sources', /· [\w^:=./-]+( BANK| FIN SERVICE)?|\b[A-Z]+:[A-Z\d]+/g],
  ['units, timeframes and time zones', /\d(m|h|D|W|M|Y|K|B)\b|UTC([+-]\d+(:\d+)?)?|IST|Asia\/(Calcutta|Kolkata)/g],
  ['pivot levels, which are symbols', /^(P|[RS][1-5])$/g],
  ['words of the operator: claims and prices', /^(charts|analysts|assets|data accuracy|\S+ for \d months?)$/g],
  [
    'names in the audit log, and what was searched for',
    /^(users|market data|configuration|nobody|unknown account)$|(?<=éẋþöŕţéð |öƒ )(users|market data)|nobody-at-all/g,
  ],
  ['jobs', /^(sweep|expire-subscriptions)$/g],
  ['holidays, which exchanges name', /Guru Nanak Jayanti/g],
  [
    'instruments',
    new RegExp(
      chartPaths
        .flatMap(namesOf)
        .toSorted((a, b) => b.length - a.length)
        .map(escaped)
        .join('|'),
      'g',
    ),
  ],
]

/** Whether words are left that are not the same in every language. */
export function isEnglish(words: string): boolean {
  return /[A-Za-z]/.test(sameInAll.reduce((rest, [, same]) => rest.replaceAll(same, ''), words))
}

function namesOf(address: string): string[] {
  const instrument = findInstrumentAt(address)
  return instrument === undefined ? [] : [instrument.label, instrument.name, instrument.symbol]
}

function escaped(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
