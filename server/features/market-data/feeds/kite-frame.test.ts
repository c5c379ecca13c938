// The frames of Kite's ticker, built by hand from the published layout, and invalid input.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { readKiteFrame } from './kite-frame.ts'

/** RELIANCE on the NSE, NIFTY 50, a currency future of the NSE and one of the BSE. */
const tokens = { reliance: 738_561, nifty: 256_265, nseCurrency: 1_000_000 * 256 + 3, bseCurrency: 1_000_000 * 256 + 6 }

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'))

/** A packet of the given length with 32-bit numbers at their offsets. */
function packet(length: number, numbers: Readonly<Record<number, number>>): Buffer {
  const buffer = Buffer.alloc(length)
  for (const [at, value] of Object.entries(numbers)) buffer.writeUInt32BE(value, Number(at))
  return buffer
}

function frame(...packets: readonly Buffer[]): Buffer {
  const parts = packets.flatMap((part) => [Buffer.from([part.length >> 8, part.length & 255]), part])
  return Buffer.concat([Buffer.from([packets.length >> 8, packets.length & 255]), ...parts])
}

const seconds = Date.UTC(2026, 10, 20, 6, 30, 15) / 1000

describe('frames that are rejected without an error', () => {
  const whole = frame(packet(8, { 0: tokens.reliance, 4: 144_005 }), packet(8, { 0: tokens.nifty, 4: 2_400_125 }))
  it.each([
    ['nothing at all', Buffer.alloc(0)],
    ['a frame cut within its last packet', whole.subarray(0, -1)],
    ['a frame cut before its last packet', whole.subarray(0, 12)],
    ['a frame cut within a length', whole.subarray(0, 13)],
    ['bytes after the last packet', Buffer.concat([whole, Buffer.from([0])])],
    ['a count without packets', Buffer.from([0, 3])],
    ['a length beyond the frame', bytes('0001 ffff 000b4501 00023285')],
  ])('%s', (_, input) => {
    expect(readKiteFrame(input)).toEqual({ ticks: [], refusedCount: 1, suspect: [], isBroken: true })
  })

  it('skips a packet of an unknown length and keeps its neighbours', () => {
    const odd = readKiteFrame(frame(Buffer.alloc(20, 1), packet(8, { 0: tokens.reliance, 4: 144_005 }), Buffer.alloc(0)))
    expect(odd).toMatchObject({ refusedCount: 2, isBroken: false })
    expect(odd.ticks.map((tick) => tick.price)).toEqual([1440.05])
  })

  it.each([0, 0xffff_ffff])('skips an invalid price: %d', (price) => {
    expect(readKiteFrame(frame(packet(8, { 0: tokens.reliance, 4: price })))).toEqual({
      ticks: [],
      refusedCount: 1,
      suspect: price === 0 ? [] : [tokens.reliance],
      isBroken: false,
    })
  })
})

describe('frames as they are published', () => {
  it('treats a single byte as a heartbeat', () => {
    expect(readKiteFrame(Uint8Array.of(0))).toEqual({ ticks: [], refusedCount: 0, suspect: [], isBroken: false })
  })

  it('treats a frame without packets as empty', () => {
    expect(readKiteFrame(Uint8Array.of(0, 0))).toEqual({ ticks: [], refusedCount: 0, suspect: [], isBroken: false })
  })

  it('reads hand-written bytes', () => {
    // Count 1, length 8, token 738561 (segment 1), price 144005 paise.
    expect(readKiteFrame(bytes('0001 0008 000b4501 00023285')).ticks).toEqual([
      { token: tokens.reliance, price: 1440.05, isIndex: false, dayVolume: null, timeMs: null },
    ])
  })

  it.each([
    ['the price alone', packet(8, { 0: tokens.reliance, 4: 144_005 }), { price: 1440.05, dayVolume: null, timeMs: null }],
    ['a quote', packet(44, { 0: tokens.reliance, 4: 144_005, 8: 25, 16: 9_100_200 }), { dayVolume: 9_100_200, timeMs: null }],
    [
      'all there is',
      packet(184, { 0: tokens.reliance, 4: 144_005, 16: 3_000_000_000, 44: seconds, 60: seconds + 2 }),
      { dayVolume: 3_000_000_000, timeMs: seconds * 1000 },
    ],
    [
      'all there is before the first trade',
      packet(184, { 0: tokens.reliance, 4: 144_005, 60: seconds }),
      { dayVolume: 0, timeMs: seconds * 1000 },
    ],
    ['an index', packet(28, { 0: tokens.nifty, 4: 2_400_125 }), { price: 24_001.25, isIndex: true, dayVolume: null, timeMs: null }],
    ['an index with its time', packet(32, { 0: tokens.nifty, 4: 2_400_125, 28: seconds }), { isIndex: true, timeMs: seconds * 1000 }],
    ['an index without a time in its place', packet(32, { 0: tokens.nifty, 4: 2_400_125 }), { isIndex: true, timeMs: null }],
    ['a currency of the NSE', packet(8, { 0: tokens.nseCurrency, 4: 842_500_000 }), { price: 84.25 }],
    ['a currency of the BSE', packet(8, { 0: tokens.bseCurrency, 4: 842_500 }), { price: 84.25 }],
  ])('reads a packet with %s', (_, input, expected) => {
    const { ticks, refusedCount } = readKiteFrame(frame(input))
    expect(refusedCount).toBe(0)
    expect(ticks).toEqual([expect.objectContaining(expected)])
  })

  it('reads a frame at an offset of a larger buffer', () => {
    const inner = frame(packet(8, { 0: tokens.reliance, 4: 144_005 }))
    const outer = Buffer.concat([Buffer.alloc(5, 7), inner, Buffer.alloc(5, 7)])
    expect(readKiteFrame(outer.subarray(5, 5 + inner.length)).ticks).toHaveLength(1)
  })
})

describe('any bytes', () => {
  it('never throw', async () => {
    await assertProperty(
      fc.property(fc.uint8Array({ maxLength: 600 }), (input) => {
        const { ticks, refusedCount } = readKiteFrame(input)
        expect(ticks.every((tick) => tick.price > 0)).toBe(true)
        expect(refusedCount).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('are never read out of bounds: surrounding bytes change nothing', async () => {
    const anyPacket = fc.constantFrom(0, 7, 8, 28, 32, 44, 184).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    await assertProperty(
      fc.property(fc.array(anyPacket, { maxLength: 4 }), fc.nat(40), fc.nat(255), (packets, cut, filler) => {
        const whole = frame(...packets.map((part) => Buffer.from(part)))
        const input = whole.subarray(0, Math.max(0, whole.length - cut))
        const around = Buffer.concat([Buffer.alloc(200, filler), input, Buffer.alloc(200, filler)])
        const alone = Uint8Array.from(input)
        expect(readKiteFrame(around.subarray(200, 200 + input.length))).toEqual(readKiteFrame(alone))
      }),
    )
  })
})
