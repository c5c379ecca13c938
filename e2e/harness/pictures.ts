// Pictures of a part of the page, compared with accepted ones that are kept with the code.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Transformer } from '@napi-rs/image'
import type { Locator } from 'playwright-core'
import { inject } from 'vitest'
import { differingPixels, markPixels, readPicture, type Picture } from './picture-difference.ts'

const acceptedDir = path.resolve(import.meta.dirname, '../pictures')
/** Not kept with the code: what a run saw instead. */
const failedDir = path.resolve(import.meta.dirname, '../../.cache/pictures')

/** Share of pixels that may differ. Between runs on one machine none does; one thin line that is gone is several times as much. */
const toleratedShare = 0.0002
/** What is on its way to the screen has so long to arrive. */
const patienceMs = 8_000
/** A picture that is to be accepted must have stayed the same so long. */
const stillMs = 700

/**
 * Compares an element with the accepted picture of this name until they look alike, and gives what is to be said where
 * they do not. With `vitest --update` the picture becomes the accepted one instead; one that was never accepted is never
 * taken for right.
 */
export async function findPictureFault(element: Locator, name: string): Promise<string | undefined> {
  const accepted = await acceptedPicture(name)
  if (inject('world').mustAccept) return accept(element, name, accepted)
  const { seen, differing, isAlike } = await watch(element, accepted)
  if (accepted !== undefined && isAlike) {
    await removeFailed(name)
    return undefined
  }
  await keepFailed(name, seen, markPixels(seen, differing))
  return `${name}: ${complaint(seen, accepted, differing)} See .cache/pictures/${name}.png and what is red in ${name}.difference.png beside it.`
}

/** Nothing differs from a picture that there is not. */
function differingFrom(accepted: Picture | undefined, seen: Picture): readonly number[] {
  return accepted === undefined ? [] : differingPixels(seen, accepted)
}

/** Waits until an element looks as in this picture of it; tells how many pixels are otherwise, 0 where it does at last. */
export async function differenceFrom(element: Locator, picture: Picture): Promise<number> {
  const { differing, isAlike } = await watch(element, picture)
  return isAlike ? 0 : differing.length
}

interface Watched {
  readonly seen: Picture
  /** Numbers of the pixels that are otherwise; some may be. */
  readonly differing: readonly number[]
  readonly isAlike: boolean
}

/** Looks at an element until it is as in a picture, or patience ends. */
async function watch(element: Locator, picture: Picture | undefined): Promise<Watched> {
  const sinceMs = performance.now()
  for (;;) {
    const seen = await take(element)
    const differing = differingFrom(picture, seen)
    const isAlike = differing.length <= tolerated(seen)
    if (isAlike || performance.now() - sinceMs >= patienceMs) return { seen, differing, isAlike }
  }
}

/** What to do about faults of pictures. */
export const pictureAdvice = 'Where the chart is as it should be: npm run build && npm run pictures:accept'

/** Names of all pictures that were ever accepted, such as `390/style-renko`. */
export async function acceptedNames(): Promise<readonly string[]> {
  const files = await readdir(acceptedDir, { recursive: true })
  return files.filter((file) => file.endsWith('.webp')).map((file) => file.slice(0, -'.webp'.length).replaceAll(path.sep, '/'))
}

/** Whether the accepted pictures of two names would be taken for each other. */
export async function looksAlike(name: string, otherName: string): Promise<boolean> {
  const [one, other] = await Promise.all([acceptedPicture(name), acceptedPicture(otherName)])
  return one !== undefined && other !== undefined && differingPixels(one, other).length <= tolerated(one)
}

async function acceptedPicture(name: string): Promise<Picture | undefined> {
  const file = await readFile(fileNamed(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return file && readPicture(file)
}

function fileNamed(name: string): string {
  return path.join(acceptedDir, `${name}.webp`)
}

function complaint(seen: Picture, accepted: Picture | undefined, differing: readonly number[]): string {
  if (accepted === undefined) return 'Nobody has accepted a picture of this.'
  if (seen.width !== accepted.width || seen.height !== accepted.height)
    return `It is ${seen.width} x ${seen.height} pixels instead of ${accepted.width} x ${accepted.height}.`
  return `${differing.length} pixels differ from the accepted picture; ${tolerated(seen)} may.`
}

function tolerated({ width, height }: Picture): number {
  return Math.floor(width * height * toleratedShare)
}

export async function take(element: Locator): Promise<Picture> {
  return readPicture(await element.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' }))
}

async function accept(element: Locator, name: string, accepted: Picture | undefined): Promise<undefined> {
  await element.page().waitForLoadState('networkidle')
  let seen = await take(element)
  let sinceMs = performance.now()
  while (performance.now() - sinceMs < stillMs) {
    const next = await take(element)
    if (differingPixels(next, seen).length > 0) sinceMs = performance.now()
    seen = next
  }
  // One that is still right keeps its bytes, so that the history holds only changes.
  if (accepted !== undefined && differingPixels(seen, accepted).length <= tolerated(seen)) return
  await mkdir(path.dirname(fileNamed(name)), { recursive: true })
  await writeFile(fileNamed(name), await fileOf(seen).webpLossless())
}

function fileOf({ pixels, width, height }: Picture): Transformer {
  return Transformer.fromRgbaPixels(pixels, width, height)
}

function failedFiles(name: string): readonly [seen: string, difference: string] {
  return [path.join(failedDir, `${name}.png`), path.join(failedDir, `${name}.difference.png`)]
}

async function keepFailed(name: string, seen: Picture, difference: Picture): Promise<void> {
  const [seenFile, differenceFile] = failedFiles(name)
  await mkdir(path.dirname(seenFile), { recursive: true })
  await writeFile(seenFile, await fileOf(seen).png())
  await writeFile(differenceFile, await fileOf(difference).png())
}

/** What a former run saw is not true any more. */
async function removeFailed(name: string): Promise<void> {
  for (const file of failedFiles(name)) await rm(file, { force: true })
}
