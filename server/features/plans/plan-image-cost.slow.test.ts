// Maximum cost of a plan image: decompression bombs, real and claimed.
// Costs are processor time, which is independent of other work on the machine.
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bytesOf, dataUrlOf, gifFile, pngChunk, pngFile } from '#server/testing/images.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { checkPlanImage } from './check-plan-image.ts'

/** Processor time of this process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

test('texts, profiles and animation are dropped without being decompressed', async () => {
  const madeFrom = cpuMs()
  const bomb = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(200_000_000))]))
  const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('Profile\0\0'), deflateSync(Buffer.alloc(390_000_000))]))
  const madeMs = cpuMs() - madeFrom
  const text = pngChunk('tEXt', Buffer.from(`Comment\0<script>alert(1)</script>`))
  const before = process.memoryUsage().rss
  const from = cpuMs()
  const image = await checkPlanImage(dataUrlOf(pngFile(10, 10, Buffer.alloc(110), [profile, bomb, text]), 'png'))
  expect(cpuMs() - from).toBeLessThan(madeMs)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect(bytesOf(image.dataUrl).length).toBeLessThan(1000)
  expect(bytesOf(image.dataUrl).toString('latin1')).not.toContain('script')
})

test.each([
  ['an announced 50000 x 50000', dataUrlOf(pngFile(50_000, 50_000, Buffer.alloc(100)), 'png'), planAdminText.imageDimensions],
  ['a real 12000 x 12000', dataUrlOf(pngFile(12_000, 12_000, Buffer.alloc(12_001 * 12_000)), 'png'), planAdminText.imageDimensions],
  [
    'a GIF frame that is larger than its screen',
    dataUrlOf(
      Buffer.concat([gifFile(10, 10, []).subarray(0, -1), Buffer.of(0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 0, 0x3b)]),
      'gif',
    ),
    planAdminText.imageInvalid,
  ],
])('%s is rejected immediately', async (_name, dataUrl, message) => {
  const before = process.memoryUsage().rss
  const from = cpuMs()
  await expect(checkPlanImage(dataUrl)).rejects.toThrow(message)
  expect(cpuMs() - from).toBeLessThan(1500)
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
})

test('pixels that decompress to more than their size cost nothing', async () => {
  const madeFrom = cpuMs()
  const dataUrl = dataUrlOf(pngFile(10, 10, Buffer.alloc(300_000_000)), 'png')
  const madeMs = cpuMs() - madeFrom
  const from = cpuMs()
  await checkPlanImage(dataUrl).catch((error: unknown) => error)
  expect(cpuMs() - from).toBeLessThan(madeMs)
})

test('only one of 20,000 frames is decoded', async () => {
  const frames = Array.from({ length: 20_000 }, (_, index) => Array.from({ length: 4 }, () => index === 0))
  const from = cpuMs()
  const image = await checkPlanImage(dataUrlOf(gifFile(2, 2, frames), 'gif'))
  expect(cpuMs() - from).toBeLessThan(3000)
  const pixels = await sharp(bytesOf(image.dataUrl)).raw().toBuffer()
  expect(pixels[0]).toBe(0)
})

test('a photograph whose PNG would be too large becomes a JPEG below the limit', async () => {
  let seed = 1
  const noise = Uint8Array.from({ length: 1024 * 1024 * 4 }, (_, index) => {
    if (index % 4 === 3) return 255
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 3 === 0 ? seed & 0xff : 40
  })
  const jpeg = await sharp(noise, { raw: { width: 1024, height: 1024, channels: 4 } })
    .jpeg({ quality: 50 })
    .toBuffer()
  expect(dataUrlOf(jpeg, 'jpeg').length).toBeLessThan(1_500_000)
  const from = cpuMs()
  const image = await checkPlanImage(dataUrlOf(jpeg, 'jpeg'))
  expect(cpuMs() - from).toBeLessThan(15_000)
  expect(image.dataUrl).toMatch(/^data:image\/jpeg;base64,/)
  expect(image.dataUrl.length).toBeLessThanOrEqual(1_500_000)
  expect(image.qrText).toBeNull()
})
