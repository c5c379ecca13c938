// Takes the pictures of the landing page, of shared links, of the icons and of the README from the product itself, with generated prices.
// They are committed; take them again with: npx playwright test --project pictures
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { keeperOf, lookedAt, type Look } from './harness/chart-looks.ts'
import { freezeClock } from './harness/frozen-server.ts'
import { addPerson } from './harness/people.ts'
import { desktop, phone, test, type Open } from './harness/test.ts'
import type { ServerUnderTest } from './harness/world.ts'

const web = join(import.meta.dirname, '../web')
const docs = join(import.meta.dirname, '../docs/images')
const chartOf = (page: Page) => page.getByTestId('native-chart')

const pictures: Readonly<Record<string, Look>> = {
  screen: { name: 'screen', studies: ['ema', 'bollinger', 'pivotpoint'] },
  studies: { name: 'studies', studies: ['volumeDelta', 'rsi', 'macd'] },
  readme: { name: 'readme', studies: ['ema', 'vwap', 'bollinger', 'rsi', 'macd'] },
}

test.describe('pictures', { tag: '@pictures' }, () => {
  test('of the chart, and of shared links', async ({ open, frozenServer, page: card }) => {
    const page = await openChart(open, frozenServer, 'screen', desktop)
    const shot = await page.screenshot()
    await keepAvif('screen', shot)
    await card.setViewportSize({ width: 1200, height: 630 })
    // Not in the product's page, whose policy forbids inline styles.
    await card.setContent(shareCard(shot))
    await writeFile(join(web, 'public/share.jpg'), await card.screenshot({ type: 'jpeg', quality: 82 }))
  })

  test('of the indicators', async ({ open, frozenServer }) => {
    const page = await openChart(open, frozenServer, 'studies', { width: 760, height: 620 })
    await keepAvif('studies', await chartOf(page).screenshot())
  })

  test('of the sign-in page', async ({ open, frozenServer }) => {
    const page = await openChart(open, frozenServer, 'screen', { width: 810, height: 1000 })
    // The page cuts the picture to its own shape, and half a legend would be left.
    await page.getByTestId('chart-legend').evaluate((legend) => legend.remove())
    await keepAvif('sign-in', await chartOf(page).screenshot())
  })

  test('of the chart on a phone', async ({ open, frozenServer }) => {
    const page = await openChart(open, frozenServer, 'screen', phone)
    await keepAvif('phone', await page.screenshot())
  })

  test('of the README', async ({ open, frozenServer }) => {
    const landing = await open('/', { origin: frozenServer.origin, before: freezeClock })
    await landing.page.evaluate(() => document.fonts.ready)
    await landing.page.waitForLoadState('networkidle')
    await keepWebp('landing', await landing.page.screenshot())
    const page = await openChart(open, frozenServer, 'readme', desktop)
    await keepWebp('chart', await page.screenshot())
  })

  test('of the icons', async ({ page }) => {
    const svg = await readFile(join(web, 'public/favicon.svg'), 'utf8')
    for (const [name, size, share] of [
      ['icon-192', 192, 1],
      ['icon-512', 512, 1],
      ['icon-maskable-512', 512, 0.72],
      ['apple-touch-icon', 180, 0.84],
    ] as const) {
      await page.setViewportSize({ width: size, height: size })
      const ground = share === 1 ? 'transparent' : '#0b0f14'
      await page.setContent(
        `<style>body{margin:0;background:${ground};display:grid;place-items:center;height:100vh}svg{width:${share * 100}%}</style>${svg}`,
      )
      const png = await page.screenshot({ omitBackground: true })
      await sharp(png).toFile(join(web, `public/${name}.png`))
    }
  })
})

async function openChart(open: Open, server: ServerUnderTest, look: string, size: typeof desktop) {
  const person = await addPerson('premium', server)
  await (
    await keeperOf(person)
  )(pictures[look] ?? { name: look })
  const { page } = await open(lookedAt, { as: person, engine: 'tezi', size, before: freezeClock })
  await page.getByTestId('chart-legend').waitFor()
  for (const study of pictures[look]?.studies ?? []) if (size !== phone) await page.locator(`[data-study=${study}]`).waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  await page.getByText(person.email, { exact: true }).evaluateAll((found) => {
    for (const element of found) element.textContent = 'asha@tezi.example'
  })
  return page
}

async function keepAvif(name: string, png: Buffer): Promise<void> {
  await sharp(png)
    .avif({ quality: 62 })
    .toFile(join(web, `features/landing/pictures/${name}.avif`))
}

async function keepWebp(name: string, png: Buffer): Promise<void> {
  await sharp(png)
    .webp({ quality: 90 })
    .toFile(join(docs, `${name}.webp`))
}

function shareCard(png: Buffer): string {
  const image = `data:image/png;base64,${png.toString('base64')}`
  return `<style>
    body { margin: 0; background: #0b0f14; overflow: hidden; font: 600 28px Inter, sans-serif }
    img { width: 1200px; display: block }
    span { position: fixed; right: 96px; bottom: 24px; padding: 8px 20px; border: 1px solid #edb345; border-radius: 6px; background: #181d23; color: #edb345 }
  </style><img src="${image}"><span>Sample</span>`
}
