// The labels that the Tezi chart draws on its price scale: evenly spaced by price, or by ratio on a logarithmic one.
import { expect, type Page } from '@playwright/test'
import { canvas, legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { expectEventually, test } from './harness/test.ts'

interface Label {
  readonly price: number
  readonly yPx: number
}

/** Collects the prices that are written on the axis; returns those of one frame. */
async function watchLabels(page: Page): Promise<() => Promise<readonly Label[]>> {
  await page.evaluate(() => {
    const pen = CanvasRenderingContext2D.prototype
    const draw = Reflect.get(pen, 'fillText')
    let frame: number | null = null
    pen.fillText = function write(text, x, y, ...rest) {
      const { canvas } = this
      const now = Number(document.timeline.currentTime)
      // The time axis is wider, and the label of the last price has a canvas of its own.
      if (canvas instanceof HTMLCanvasElement && canvas.width < 150 && canvas.height > 200 && /^[\d,]+\.\d+$/.test(text)) {
        if (frame !== now) Reflect.set(window, 'labels', [])
        frame = now
        ;(Reflect.get(window, 'labels') as Label[]).push({ price: Number(text.replaceAll(',', '')), yPx: y })
      }
      Reflect.apply(draw, this, [text, x, y, ...rest])
    }
  })
  return () => page.evaluate(() => (Reflect.get(window, 'labels') as Label[] | undefined) ?? [])
}

/** Pixels by which the labels in the middle miss their place between the outer ones. */
function missOf(labels: readonly Label[], scaled: (price: number) => number): number {
  const sorted = labels.toSorted((one, other) => one.price - other.price)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined || sorted.length < 4) return Number.NaN
  const share = (price: number) => (scaled(price) - scaled(low.price)) / (scaled(high.price) - scaled(low.price))
  return Math.max(...sorted.map(({ price, yPx }) => Math.abs(low.yPx + share(price) * (high.yPx - low.yPx) - yPx)))
}

const linear = (price: number) => price

test('a logarithmic price scale has labels of equal ratio, and a linear one of equal steps', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/btc-usdt?tf=1D', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  const labels = await watchLabels(page)
  await canvas(page).press('-')
  await expectEventually(async () => missOf(await labels(), linear)).toBeLessThan(1.5)

  await page.getByRole('button', { name: /^Axes:/ }).click()
  await page.getByText('Times on the axis are those of Asia/Kolkata (IST).').waitFor()
  await page.getByRole('radio', { name: 'Logarithmic' }).check()
  await page.keyboard.press('Escape')
  const box = await canvas(page).boundingBox()
  if (box === null) throw new Error('The chart has no place')
  // Pushed together, so that the prices on the axis are far apart.
  await page.mouse.move(box.x + box.width - 30, box.y + 100)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 30, box.y + 350, { steps: 8 })
  await page.mouse.up()
  await expectEventually(async () => missOf(await labels(), Math.log)).toBeLessThan(1.5)
  expect(missOf(await labels(), linear)).toBeGreaterThan(15)
})
