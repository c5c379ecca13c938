// What our own chart looks like, in every style and with every study, against accepted pictures. Clock and prices stand still.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { studyIds } from '../shared/market/indicators/study-ids.ts'
import { candleColours, candleStyles, priceScales } from '../web/features/market/native/chart-options.ts'
import { gapPrices } from './harness/gapped-prices.ts'
import { keeperOf, lookedAt, plain, show, type Look } from './harness/looks.ts'
import { addPerson } from './harness/people.ts'
import { acceptedNames, findPictureFault, looksAlike, pictureAdvice } from './harness/pictures.ts'
import { standStill, startStillWorld, type StillWorld } from './harness/still-world.ts'
import { desktop, phone, test } from './harness/test.ts'

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

const allLooksMs = 240_000

let world: StillWorld

beforeAll(async () => {
  world = await startStillWorld()
})
afterAll(() => world.stop())

test.for(sizes)(
  'every style, scale, colour and study looks as accepted at %s pixels',
  { timeout: allLooksMs },
  async ([width, size], { open }) => {
    const person = await addPerson('premium', world.databaseUrl)
    const keep = await keeperOf(person, world.origin)
    await keep({ name: plainName })
    const { page } = await open(lookedAt, { as: person, origin: world.origin, size, before: gapped })
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

async function gapped(page: Page): Promise<void> {
  await standStill(page)
  await gapPrices(page)
}
