// Screenshots as pixels: two moments of one page compared, and the committed baselines of the visual tests.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator } from '@playwright/test'
import { differingPixels, readImage, type PixelImage } from './image-difference.ts'

const baselineDir = path.resolve(import.meta.dirname, '../screenshots')

/** Share of pixels that may differ. Between runs on one machine none does; one thin line that is missing is several times as much. */
const toleratedShare = 0.0002
/** How long what is on its way to the screen may take. */
const timeoutMs = 8_000

export async function takeScreenshot(element: Locator): Promise<PixelImage> {
  return readImage(await element.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' }))
}

/** Waits until an element looks like this image of it; gives the number of pixels that differ at the end, 0 where it does. */
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
