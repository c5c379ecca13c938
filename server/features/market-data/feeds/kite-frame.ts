// Parses the binary frames of Zerodha's Kite ticker: big endian, a count of packets, and length-prefixed packets.

export interface KiteTick {
  /** Instrument token; its last byte is the segment. */
  readonly token: number
  readonly price: number
  /** An index has a value but no trades. */
  readonly isIndex: boolean
  /** Volume since the start of the day; null in packets without it, and for an index. */
  readonly dayVolume: number | null
  /** Time of the last trade or index value, to the second; null in packets without it. */
  readonly timeMs: number | null
}

export interface KiteFrame {
  readonly ticks: readonly KiteTick[]
  /** Number of packets, or whole frames, that could not be parsed. */
  readonly refusedCount: number
  /** Tokens of packets with an impossible price; one of 0 only says that nothing was traded yet. */
  readonly suspect: readonly number[]
  /** The lengths do not add up, so prices were lost. */
  readonly isBroken: boolean
}

const segments = { nseCurrency: 3, bseCurrency: 6, indices: 9 } as const

/** Packet lengths by kind. */
const packetBytes = { price: 8, indexQuote: 28, indexFull: 32, quote: 44, full: 184 } as const

const heartbeatBytes = 1
const signOfLife: KiteFrame = { ticks: [], refusedCount: 0, suspect: [], isBroken: false }
const broken: KiteFrame = { ticks: [], refusedCount: 1, suspect: [], isBroken: true }

/** Prices are integers in this fraction of a rupee or point. */
function divisorOf(segment: number): number {
  if (segment === segments.nseCurrency) return 10_000_000
  return segment === segments.bseCurrency ? 10_000 : 100
}

function stampOf(seconds: number): number | null {
  return seconds === 0 ? null : seconds * 1000
}

function volumeAndTime(packet: DataView): Pick<KiteTick, 'dayVolume' | 'timeMs'> | null {
  switch (packet.byteLength) {
    case packetBytes.price:
    case packetBytes.indexQuote:
      return { dayVolume: null, timeMs: null }
    case packetBytes.indexFull:
      return { dayVolume: null, timeMs: stampOf(packet.getUint32(28)) }
    case packetBytes.quote:
      return { dayVolume: packet.getUint32(16), timeMs: null }
    case packetBytes.full:
      // The time of the last trade, and before the day's first trade the time of the packet.
      return { dayVolume: packet.getUint32(16), timeMs: stampOf(packet.getUint32(44)) ?? stampOf(packet.getUint32(60)) }
    default:
      return null
  }
}

function readPacket(packet: DataView): KiteTick | null {
  const rest = volumeAndTime(packet)
  if (rest === null) return null
  const token = packet.getUint32(0)
  const segment = token & 0xff
  const price = packet.getInt32(4) / divisorOf(segment)
  return price > 0 ? { token, price, isIndex: segment === segments.indices, ...rest } : null
}

/** Bounds of the packets, or null if the lengths do not add up to the frame. */
function splitFrame(frame: DataView): DataView[] | null {
  if (frame.byteLength < 2) return null
  const packets: DataView[] = []
  let at = 2
  for (let left = frame.getUint16(0); left > 0; left -= 1) {
    if (at + 2 > frame.byteLength) return null
    const length = frame.getUint16(at)
    if (at + 2 + length > frame.byteLength) return null
    packets.push(new DataView(frame.buffer, frame.byteOffset + at + 2, length))
    at += 2 + length
  }
  return at === frame.byteLength ? packets : null
}

/**
 * The ticks of one binary frame. Never throws: a frame whose lengths do not add up is rejected as a whole, because
 * none of it can be trusted; a packet of an unknown length or without a price is skipped. Both are counted.
 * A single byte is the ticker's heartbeat.
 */
export function readKiteFrame(bytes: Uint8Array): KiteFrame {
  if (bytes.byteLength === heartbeatBytes) return signOfLife
  const packets = splitFrame(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (packets === null) return broken
  const ticks = packets.map(readPacket).filter((tick) => tick !== null)
  const suspect = packets.filter((packet) => packet.byteLength >= 8 && packet.getInt32(4) < 0).map((packet) => packet.getUint32(0))
  return { ticks, refusedCount: packets.length - ticks.length, suspect, isBroken: false }
}
