// The search for a QR code ends in time, also in pixels made to keep it busy.
import { expect, test } from 'vitest'
import { readQr } from './read-qr.ts'

const side = 1024

/** Black and white pixels at random, always the same ones: full of what looks like corners of codes. */
function noise(): Uint8Array {
  const rgba = new Uint8Array(side * side * 4).fill(255)
  let seed = 7
  for (let at = 0; at < rgba.length; at += 4) {
    seed = (seed * 48_271) % 2_147_483_647
    if ((seed >> 8) % 2 === 0) rgba.fill(0, at, at + 3)
  }
  return rgba
}

test('a search that takes too long is given up', async () => {
  const pixels = { rgba: noise(), width: side, height: side }
  const from = performance.now()
  expect(await readQr(pixels, 100)).toBeNull()
  const given = performance.now() - from
  expect(await readQr(pixels, 60_000)).toBeNull()
  expect(performance.now() - from - given).toBeGreaterThan(given * 2)
})
