// What our own chart looks like, in every style and with every study, against accepted pictures. Clock and prices stand still.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { chartFlagNames, noChartFlags } from '../shared/market/chart-flags.ts'
import { classicIds, studyIds, type StudyId } from '../shared/market/indicators/study-ids.ts'
import { noWorkspace, type KeptStudies } from '../shared/workspace/workspace.ts'
import { candleColours, candleStyles, priceScales, type ChartOptions } from '../web/features/market/native/chart-options.ts'
import { gapPrices } from './harness/gapped-prices.ts'
import { addPerson, callerAs, type Person } from './harness/people.ts'
import { acceptedNames, findPictureFault, looksAlike, pictureAdvice } from './harness/pictures.ts'
import { startServer, type ServerProcess } from './harness/server-process.ts'
import { sql } from './harness/sql.ts'
import { standingMs } from './harness/standing-clock.ts'
import { desktop, phone, test } from './harness/test.ts'

interface Look {
  readonly name: string
  readonly options?: Partial<ChartOptions>
  readonly studies?: readonly StudyId[]
}

const plain: ChartOptions = { style: 'candles', scale: 'linear', colours: 'classic', hasBreaks: true }
const plainName = `style-${plain.style}`

const looks: readonly Look[] = [
  ...candleStyles.map((style) => ({ name: `style-${style}`, options: { style } })),
  ...priceScales.filter((scale) => scale !== plain.scale).map((scale) => ({ name: `scale-${scale}`, options: { scale } })),
  ...candleColours.filter((colours) => colours !== plain.colours).map((colours) => ({ name: `colours-${colours}`, options: { colours } })),
  ...studyIds.map((study) => ({ name: `study-${study}`, studies: [study] })),
  { name: 'studies-in-four-panes', studies: ['volumeDelta', 'bollinger', 'rsi', 'macd'] },
]

const sizes = [
  ['1440', desktop],
  ['390', phone],
] as const

const place = { slug: 'btc-usdt', timeframe: '15' } as const
const chart = `/${place.slug}?tf=${place.timeframe}`
const allLooksMs = 240_000
const database = `tezi_pictures_${randomUUID().slice(0, 8)}`

let server: ServerProcess
let databaseUrl: string

beforeAll(async () => {
  await sql(`create database ${database}`)
  // A database of its own: sessions that began at a standing clock are old ones to any other server.
  databaseUrl = inject('world').databaseUrl.replace(/[^/]+$/, database)
  server = await startServer({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' }, path.join(import.meta.dirname, 'harness/still-server.ts'))
})
afterAll(async () => {
  await server.stop()
  await sql(`drop database if exists ${database} with (force)`)
})

test.for(sizes)(
  'every style, scale, colour and study looks as accepted at %s pixels',
  { timeout: allLooksMs },
  async ([width, size], { open }) => {
    const person = await addPerson('premium', databaseUrl)
    const keep = await keeperOf(person)
    await keep({ name: plainName })
    const { page } = await open(chart, { as: person, origin: server.origin, size, before: standStill })
    const faults: string[] = []
    for (const look of looks) {
      await keep(look)
      await show(page, look)
      const fault = await findPictureFault(page.getByTestId('native-chart'), `${width}/${look.name}`)
      if (fault !== undefined) faults.push(fault)
    }
    expect(faults.length === 0 ? [] : [...faults, pictureAdvice]).toEqual([])
  },
)

test('no accepted picture is without its look, and none could be taken for the plain chart', async () => {
  expect(new Set(await acceptedNames())).toEqual(new Set(sizes.flatMap(([width]) => looks.map(({ name }) => `${width}/${name}`))))
  const others = sizes.flatMap(([width]) => looks.filter(({ name }) => name !== plainName).map(({ name }) => [width, name] as const))
  for (const [width, name] of others) expect(await looksAlike(`${width}/${name}`, `${width}/${plainName}`), `${width}/${name}`).toBe(false)
})

/** Gives the account a look, as if chosen on another device. */
async function keeperOf(person: Person): Promise<(look: Look) => Promise<void>> {
  const call = await callerAs(person, server.origin)
  // The page finds everything as it is and saves nothing itself.
  let version = 0
  return async (look) => {
    await call('PUT', '/user/workspace', { version, workspace: { ...noWorkspace, last: place, ...choicesOf(look), ...studiesOf(look) } })
    version += 1
    const flags = chartFlagNames.map((flag) => [flag, look.studies?.includes(flag) === true])
    await call('PUT', '/user/chart-settings', { ...noChartFlags, ...Object.fromEntries(flags) })
  }
}

/** Opens the chart anew in a browser that knows the look from before, so that nothing on it changes while it comes. */
async function show(page: Page, look: Look): Promise<void> {
  const kept = {
    engine: choicesOf(look).engine,
    options: JSON.stringify(choicesOf(look).options),
    studies: JSON.stringify(studiesOf(look)),
  }
  await page.evaluate((items) => {
    for (const [name, text] of Object.entries(items)) localStorage.setItem(`chart.${name}`, text)
  }, kept)
  await page.reload()
  await page.getByTestId('chart-legend').waitFor()
  for (const study of look.studies ?? []) await page.locator(`[data-study=${study}]`).waitFor()
  await page.evaluate(() => document.fonts.ready)
}

function choicesOf({ options }: Look) {
  return { engine: 'tezi', options: { ...plain, ...options } }
}

function studiesOf({ studies = [] }: Look): KeptStudies {
  return { studies: classicIds.filter((id) => studies.includes(id)), hiddenStudies: [], studyInputs: {} }
}

async function standStill(page: Page): Promise<void> {
  await page.clock.setFixedTime(standingMs)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await gapPrices(page)
}
