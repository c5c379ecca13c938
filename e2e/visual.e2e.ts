// Screenshots of the Tezi chart in every style and with every study, against committed ones. Clock and prices are frozen.
import { expect, type Page } from '@playwright/test'
import { chartFlagNames } from '../shared/chart/chart-flags.ts'
import { classicIds } from '../shared/indicators/lib/study-ids.ts'
import type { ChartPlace } from '../shared/workspace/workspace.ts'
import { candleColours, candleStyles, priceScales } from '../web/features/chart/native/chart-options.ts'
import { freezeClock } from './harness/frozen-server.ts'
import { gapPrices } from './harness/gapped-prices.ts'
import { keeperOf, lookedAt, plain, show, type Look } from './harness/chart-looks.ts'
import { addPerson } from './harness/people.ts'
import { baselineNames, readBaseline } from './harness/screenshots.ts'
import { desktop, phone, test } from './harness/test.ts'

const plainName = `style-${plain.style}`

const sixStudiesAt: readonly (readonly [name: string, place: ChartPlace])[] = [
  ['nifty-1m', { slug: 'nifty', timeframe: '1' }],
  ['nifty-5m', { slug: 'nifty', timeframe: '5' }],
  ['nifty-1D', { slug: 'nifty', timeframe: '1D' }],
  ['eur-usd-15m', { slug: 'eur-usd', timeframe: '15' }],
  ['btc-usdt-1h', { slug: 'btc-usdt', timeframe: '60' }],
]

const groups: readonly (readonly [name: string, looks: readonly Look[]])[] = [
  ['style', candleStyles.map((style) => ({ name: `style-${style}`, options: { style } }))],
  [
    'scale and colour',
    [
      ...priceScales.filter((scale) => scale !== plain.scale).map((scale) => ({ name: `scale-${scale}`, options: { scale } })),
      ...candleColours
        .filter((colours) => colours !== plain.colours)
        .map((colours) => ({ name: `colours-${colours}`, options: { colours } })),
      { name: 'studies-in-four-panes', studies: ['volumeDelta', 'bollinger', 'rsi', 'macd'] },
    ],
  ],
  ['premium study', chartFlagNames.map((study) => ({ name: `study-${study}`, studies: [study] }))],
  ['classic study', classicIds.map((study) => ({ name: `study-${study}`, studies: [study] }))],
  [
    'chart with all six premium studies',
    sixStudiesAt.map(([name, place]) => ({ name: `six-studies-${name}`, studies: chartFlagNames, place })),
  ],
]

const widths = [
  ['1440', desktop],
  ['390', phone],
] as const

for (const [width, size] of widths) {
  for (const [group, looks] of groups) {
    test(`every ${group} looks as committed at ${width} pixels`, { tag: '@slow' }, async ({ open, frozenServer }) => {
      const person = await addPerson('premium', frozenServer)
      const keep = await keeperOf(person)
      await keep({ name: plainName })
      const { page } = await open(lookedAt, { as: person, engine: 'tezi', size, before: freezeWithGaps })
      for (const look of looks) {
        await keep(look)
        await show(page, look)
        // A new screenshot shows the current state; a committed one is waited for.
        if (test.info().config.updateSnapshots !== 'none') await page.waitForLoadState('networkidle')
        await expect.soft(page.getByTestId('native-chart')).toHaveScreenshot([width, `${look.name}.png`])
      }
    })
  }
}

test('every committed screenshot has its test, and none could be taken for the plain chart', { tag: '@slow' }, async () => {
  const names = groups.flatMap(([, looks]) => looks.map(({ name }) => name))
  expect(new Set(await baselineNames())).toEqual(new Set(widths.flatMap(([width]) => names.map((name) => `${width}/${name}`))))
  for (const [width] of widths)
    for (const name of names.filter((one) => one !== plainName))
      expect.soft(await readBaseline(`${width}/${name}`), `${width}/${name}`).not.toMatchSnapshot([width, `${plainName}.png`])
})

async function freezeWithGaps(page: Page): Promise<void> {
  await freezeClock(page)
  await gapPrices(page)
}
