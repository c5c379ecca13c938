// Validation of plan images with real files: each format, each rule, and fake files.
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { bytesOf, dataUrlOf, gifFile, pngFile, qrFile, upiText, type ImageFormat } from '#server/testing/images.ts'
import { checkPlanImage } from './check-plan-image.ts'

const typeMessage = 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'
const invalidMessage = 'Invalid image file'
const dimensionsMessage = 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels'

const formats: ImageFormat[] = ['png', 'jpeg', 'gif', 'webp']
const marker = '<script>alert(1)</script>'

/** A busy machine may search for longer than a user would wait. */
const check = (dataUrl: string) => checkPlanImage(dataUrl, 60_000)

async function rejection(dataUrl: string): Promise<{ message: string; kind: string }> {
  try {
    await check(dataUrl)
  } catch (error) {
    return error as { message: string; kind: string }
  }
  throw new Error('the image was accepted')
}

describe.each(formats)('%s', (format) => {
  test('is re-encoded as a PNG whose QR code still scans', async () => {
    const image = await check(dataUrlOf(await qrFile(upiText, format), format))
    expect(image.qrText).toBe(upiText)
    expect(image.dataUrl).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/)
    const again = await check(image.dataUrl)
    expect(again).toEqual(image)
    expect(await sharp(bytesOf(image.dataUrl)).metadata()).toMatchObject({ width: 300, height: 300, format: 'png' })
  })

  test('loses its trailing data', async () => {
    const image = await check(dataUrlOf(Buffer.concat([await qrFile(upiText, format), Buffer.from(marker)]), format))
    expect(image.qrText).toBe(upiText)
    expect(bytesOf(image.dataUrl).toString('latin1')).not.toContain('script')
  })

  test('is rejected if truncated anywhere', async () => {
    const whole = await qrFile(upiText, format)
    for (const length of [0, 8, 20, whole.length >> 1, whole.length - 3]) {
      expect(await rejection(dataUrlOf(whole.subarray(0, length), format))).toMatchObject({ kind: 'invalid', message: invalidMessage })
    }
  })

  test('is rejected with the type of another format', async () => {
    const bytes = await qrFile(upiText, format)
    for (const other of formats.filter((name) => name !== format))
      expect(await rejection(dataUrlOf(bytes, other))).toMatchObject({ message: invalidMessage })
  })
})

test('image/jpg is read as JPEG', async () => {
  expect((await check(dataUrlOf(await qrFile(upiText, 'jpeg'), 'jpg'))).qrText).toBe(upiText)
})

test.each([
  ['text', 'hello'],
  ['nothing behind the comma of a text', 'data:text/plain,hello'],
  ['SVG', `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`],
  ['HTML', `data:text/html;base64,${Buffer.from(marker).toString('base64')}`],
  ['PDF', `data:application/pdf;base64,${Buffer.from('%PDF-1.7').toString('base64')}`],
  ['BMP', `data:image/bmp;base64,${Buffer.from('BM').toString('base64')}`],
  ['a parameter', 'data:image/png;charset=utf-8;base64,AAAA'],
  ['no base64', 'data:image/png,AAAA'],
  ['a property of every object', 'data:image/toString;base64,AAAA'],
  ['another case', 'data:image/PNG;base64,AAAA'],
  ['a remote address', 'https://example.com/qr.png'],
  ['a local file', 'file:///etc/passwd'],
  ['a script address', 'javascript:alert(1)'],
])('%s is rejected by its type', async (_name, dataUrl) => {
  expect(await rejection(dataUrl)).toMatchObject({ kind: 'invalid', message: typeMessage })
})

test.each([
  ['no bytes', 'data:image/png;base64,'],
  ['broken base64', 'data:image/png;base64,AAA'],
  ['spaces in base64', 'data:image/png;base64,AA A'],
  ['HTML in a PNG name', dataUrlOf(Buffer.from(marker.repeat(20)), 'png')],
  ['SVG in a GIF name', dataUrlOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(3)), 'gif')],
  [
    'the magic bytes and nothing else',
    dataUrlOf(Buffer.concat([Buffer.from('GIF89a'), Buffer.of(9, 0, 9, 0, 0, 0, 0), Buffer.from(marker.repeat(5))]), 'gif'),
  ],
])('%s is rejected by its bytes', async (_name, dataUrl) => {
  expect(await rejection(dataUrl)).toMatchObject({ kind: 'invalid', message: invalidMessage })
})

test('damaged pixels are rejected', async () => {
  const bytes = Buffer.from(await qrFile(upiText))
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 0xff, bytes.length - 40)
  expect(await rejection(dataUrlOf(bytes, 'png'))).toMatchObject({ message: invalidMessage })
})

test.each([
  ['something before its name', (url: string) => `x${url}`],
  ['something after its type', (url: string) => url.replace(';base64,', ';base64;x,')],
  ['a type of five letters', (url: string) => url.replace('png', 'pnggg')],
  ['a type of two letters', (url: string) => url.replace('png', 'pn')],
  ['no comma', (url: string) => url.replace(',', '')],
])('an image with %s is rejected by its type', async (_name, change) => {
  expect(await rejection(change(dataUrlOf(await qrFile(upiText), 'png')))).toMatchObject({ kind: 'invalid', message: typeMessage })
})

test.each([
  ['a character more', (base64: string) => `${base64}A`],
  ['a character that base64 has not, in front', (base64: string) => `!!!!${base64}`],
  ['characters that base64 has not, behind', (base64: string) => `${base64}!!!!`],
  ['a line break', (base64: string) => `${base64.slice(0, 76)}\n\n\n\n${base64.slice(76)}`],
  ['the alphabet of addresses', (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')],
  ['three characters of padding', (base64: string) => `${base64.replace(/=*$/, '')}===`.padEnd(base64.length + 4, '=')],
])('a whole image in base64 with %s is rejected', async (_name, change) => {
  const [head = '', base64 = ''] = dataUrlOf(await qrFile(upiText), 'png').split(',')
  expect(await rejection(`${head},${change(base64)}`)).toMatchObject({ kind: 'invalid', message: invalidMessage })
})

test('a rejection has the field and its code', async () => {
  expect(await rejection('data:image/png;base64,')).toMatchObject({
    wireMessage: { code: 'adminPlans.imageInvalid' },
    details: { fields: { qrcodeUrl: 'adminPlans.imageInvalid' } },
  })
})

test('size: 2 MB of bytes, 1.5 million characters', async () => {
  expect(await rejection(`data:image/png;base64,${'A'.repeat(2_800_000)}`)).toMatchObject({
    message: 'File size too large. Maximum size allowed is 2MB',
  })
  for (const length of [1_500_000, 2_796_200])
    expect(await rejection(`data:image/png;base64,${'A'.repeat(length)}`)).toMatchObject({
      message: 'Image is still too large after compression. Please select a smaller image.',
    })
})

test('1024 pixels pass, 1025 do not, in either direction and every format', async () => {
  expect((await check(dataUrlOf(pngFile(1024, 1024, Buffer.alloc(1025 * 1024)), 'png'))).qrText).toBeNull()
  for (const [width, height] of [
    [1025, 10],
    [10, 1025],
  ] as const) {
    const canvas = sharp({ create: { width, height, channels: 4, background: 'black' } })
    const files: [Buffer, string][] = [
      [await canvas.png().toBuffer(), 'png'],
      [await canvas.jpeg().toBuffer(), 'jpeg'],
      [await canvas.webp().toBuffer(), 'webp'],
      [await canvas.webp({ lossless: true }).toBuffer(), 'webp'],
      [gifFile(width, height, [[true]]), 'gif'],
    ]
    for (const [bytes, format] of files) expect(await rejection(dataUrlOf(bytes, format))).toMatchObject({ message: dimensionsMessage })
  }
})

/** A PNG of 2 x 2 pixels for each colour. */
const squares = (...colours: string[]) =>
  Promise.all(
    colours.map((background) =>
      sharp({ create: { width: 2, height: 2, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )

/** A file with other bytes at an offset. */
function withBytes(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(values, at)
  return changed
}

test('a small image truncated at any byte is rejected', async () => {
  const [png] = (await squares('red')) as [Buffer]
  const files: [string, Buffer][] = [
    ['png', png],
    ['jpeg', await sharp(png).jpeg().toBuffer()],
    ['webp', await sharp(png).webp().toBuffer()],
    ['webp', await sharp(png).webp({ lossless: true }).toBuffer()],
    // Without its trailer a GIF still has all pixels.
    ['gif', gifFile(2, 2, [[true, false, true, false]]).subarray(0, -1)],
  ]
  for (const [format, whole] of files) {
    expect((await check(dataUrlOf(whole, format))).qrText).toBeNull()
    for (let length = 0; length < whole.length; length += 1)
      expect(await rejection(dataUrlOf(whole.subarray(0, length), format))).toMatchObject({ message: invalidMessage })
  }
})

test.each([
  ['a PNG without width', 'png', withBytes(pngFile(2, 2, Buffer.alloc(6)), 16, 0, 0, 0, 0)],
  ['a PNG of 0x80000000 pixels', 'png', pngFile(0x80000000, 2, Buffer.alloc(6))],
  ['a PNG whose first chunk is another', 'png', withBytes(pngFile(2, 2, Buffer.alloc(6)), 12, ...Buffer.from('IDAT'))],
  ['a PNG with too few pixels', 'png', pngFile(2, 2, Buffer.alloc(5))],
  ['a GIF without a frame', 'gif', gifFile(2, 2, [])],
  ['a GIF whose frame is larger than its screen', 'gif', withBytes(gifFile(3, 1, [[true, true, true]]), 6, 2)],
])('%s is rejected', async (_name, format, bytes) => {
  expect(await rejection(dataUrlOf(bytes, format))).toMatchObject({ kind: 'invalid', message: invalidMessage })
})

test('only the first frame is used', async () => {
  const animated = sharp(await squares('#f00', '#0f0'), { join: { animated: true } })
  const files: [string, Buffer][] = [
    ['gif', await animated.gif().toBuffer()],
    ['webp', await animated.webp({ lossless: true }).toBuffer()],
  ]
  for (const [format, file] of files) {
    const pixels = await sharp(bytesOf((await check(dataUrlOf(file, format))).dataUrl))
      .raw()
      .toBuffer()
    expect([...pixels]).toEqual([255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0])
  }
})

test('a JPEG with very many scans is rejected', async () => {
  const bytes = await qrFile(upiText, 'jpeg')
  const scan = Buffer.from('ffda000803010002000000', 'hex')
  const many = Buffer.concat([bytes.subarray(0, -2), ...Array.from({ length: 60 }, () => scan), bytes.subarray(-2)])
  expect(await rejection(dataUrlOf(many, 'jpeg'))).toMatchObject({ message: invalidMessage })
})

test('an image whose PNG would be too large becomes a JPEG', async () => {
  const side = 700
  let seed = 1
  const noise = Uint8Array.from({ length: side * side * 4 }, (_, index) => {
    seed = (seed * 48_271) % 2_147_483_647
    return index % 4 === 3 ? 255 : seed & 0xff
  })
  const jpeg = await sharp(noise, { raw: { width: side, height: side, channels: 4 } })
    .jpeg({ quality: 50 })
    .toBuffer()
  const image = await checkPlanImage(dataUrlOf(jpeg, 'jpeg'), 1)
  expect(image.dataUrl).toMatch(/^data:image\/jpeg;base64,/)
  expect(image.dataUrl.length).toBeLessThanOrEqual(1_500_000)
  expect(image.qrText).toBeNull()
  expect(await sharp(bytesOf(image.dataUrl)).metadata()).toMatchObject({ width: side, height: side, format: 'jpeg' })
})

test('a transparent code gets a white background', async () => {
  const pixels = await sharp(await qrFile(upiText))
    .ensureAlpha()
    .raw()
    .toBuffer()
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 128) pixels.fill(0, at, at + 4)
  const image = await check(
    dataUrlOf(
      await sharp(pixels, { raw: { width: 300, height: 300, channels: 4 } })
        .png()
        .toBuffer(),
      'png',
    ),
  )
  expect(image.qrText).toBe(upiText)
})
