// Screenshots as pixels: two moments of one page compared, and the committed baselines of the visual tests.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator } from '@playwright/test'
import { differingPixels, readImage, type PixelImage } from './image-difference.ts'

const baselineDir = path.resolve(import.meta.dirname, '../screenshots')

/** Fraction of pixels that may differ. Runs on one machine are identical; one missing thin line exceeds it several times. */
const toleratedShare = 0.0002
/** Maximum wait for pending rendering. */
const timeoutMs = 20_000

export async function takeScreenshot(element: Locator): Promise<PixelImage> {
  return readImage(await element.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' }))
}

/** Waits until an element matches this image of it; returns the number of pixels that still differ, 0 on a match. */
export async function differenceFrom(element: Locator, image: PixelImage): Promise<number> {
  const sinceMs = performance.now()
  for (;;) {
    const seen = await takeScreenshot(element)
    const count = differingPixels(seen, image).length
    if (count <= tolerated(seen)) return 0
    if (performance.now() - sinceMs >= timeoutMs) return count
  }
}

/** Names of all committed screenshots, such as `390/style-renko`. */
export async function baselineNames(): Promise<readonly string[]> {
  const files = await readdir(baselineDir, { recursive: true })
  return files.filter((file) => file.endsWith('.png')).map((file) => file.slice(0, -'.png'.length).replaceAll(path.sep, '/'))
}

export function readBaseline(name: string): Promise<Buffer> {
  return readFile(path.join(baselineDir, `${name}.png`))
}

function tolerated({ width, height }: PixelImage): number {
  return Math.floor(width * height * toleratedShare)
}
