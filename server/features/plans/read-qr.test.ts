// The text of a QR code, bounded and sanitised; the search has a time limit, even for adversarial pixels.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { qrFile } from '#server/testing/images.ts'
import { readQr, type Pixels } from './read-qr.ts'

const blank = { rgba: new Uint8Array(100 * 100 * 4).fill(255), width: 100, height: 100 }

async function pixelsOf(text: string): Promise<Pixels> {
  const side = 400
  const code = await qrFile(text, 'png', side)
  return { rgba: await sharp(code).ensureAlpha().raw().toBuffer(), width: side, height: side }
}

test.each([
  ['its text', 'upi://pay?pa=shop@okaxis', 'upi://pay?pa=shop@okaxis'],
  ['other scripts and spaces', ' आशा ', ' आशा '],
  ['no control and formatting characters', 'a\u0000\u001b\u202e\nb', 'ab'],
  ['1000 characters at most', 'X'.repeat(1001), 'X'.repeat(1000)],
  ['1000 characters that are left after cleaning', `\n${'X'.repeat(1000)}`, 'X'.repeat(1000)],
  ['nothing where there are spaces only', '   ', null],
])('of a code is read: %s', async (_name, reported, read) => {
  expect(await readQr(await pixelsOf(reported), 60_000)).toBe(read)
})

test('without a code is null', async () => {
  expect(await readQr(blank)).toBeNull()
})

test('of unusable pixels is null', async () => {
  expect(await readQr({ ...blank, height: 200 })).toBeNull()
})

test('a search without an end is aborted', async () => {
  const endless = new URL('data:text/javascript,for (;;);')
  expect(await readQr(blank, 100, endless)).toBeNull()
})
