// Demo prices top-down: splits a span with its open, high, low, close and volume into parts that add up exactly, by hashes of a seed.

/** A 32-bit hash of two 32-bit numbers. */
export function mix(a: number, b: number): number {
  let x = (a ^ Math.imul(b | 0, 0x9e3779b1)) | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return (x ^ (x >>> 15)) >>> 0
}

/** A 32-bit hash of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = mix(hash, text.charCodeAt(i))
  return hash
}

/** Above 0 and below 1, evenly spread. */
function uniform(hash: number): number {
  return (hash + 0.5) / 0x1_0000_0000
}

/** Approximately normal with mean 0 and deviation 1, within ±3.5: the sum of the hash's four bytes. */
export function normal(hash: number): number {
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24)
  return (sum - 510) / 147.8
}

/**
 * Smooth noise over the number line in octaves: each is twice as slow as the previous one and moves by the square root of
 * two more, so that it wanders like a price but stays within its range. One step changes it by about 1 (deviation).
 */
export function wander(seed: number, step: number, octaves: number): number {
  let total = 0
  for (let octave = 0; octave < octaves; octave += 1) {
    const width = 2 ** octave
    const cell = Math.floor(step / width)
    const part = step / width - cell
    const octaveSeed = mix(seed, octave + 1)
    const from = normal(mix(octaveSeed, cell))
    const to = normal(mix(octaveSeed, cell + 1))
    total += 0.5 * Math.sqrt(width) * (from + (to - from) * part)
  }
  return total
}

interface Noise {
  readonly seed: number
  /** The squares of all weights add up to 1. */
  readonly weight: number
}

/** Prices in ticks and volumes in steps, all integers, so that parts add up without rounding. */
export interface DemoSpan {
  readonly seed: number
  /** Noises that the price follows together; undefined where it is that of the seed alone. */
  readonly blend?: readonly Noise[] | undefined
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Volume taken by buyers and by sellers. */
  readonly buys: number
  readonly sells: number
  /** Standard deviation of the price over the span, in ticks. */
  readonly deviation: number
}

export interface SplitRule {
  readonly parts: number
  /** Relative activity of each part; one number per part, 1 on average. */
  readonly shape: readonly number[]
  /** Relative volume of each part, where it differs from its shape. */
  readonly volumeShape?: readonly number[]
  /** 1 for full randomness of the volume, less for calmer parts. */
  readonly volumeChance?: number
  /** False if the span's high and low are not known yet and follow from its parts. */
  readonly isBounded: boolean
}

/** Average range of a random walk in standard deviations of its move: sqrt(8 / pi). */
const usualRange = 1.6

/** Maximum of a random walk between two known ends; one draw of its distribution. */
function peak(from: number, to: number, draw: { readonly deviation: number; readonly hash: number }): number {
  const move = to - from
  return from + (move + Math.sqrt(move * move - 2 * draw.deviation * draw.deviation * Math.log(uniform(draw.hash)))) / 2
}

/** Stretches the part of a path beyond an edge towards the limit, but never beyond it. */
function reach(path: Float64Array, edge: number, aim: { readonly limit: number; readonly direction: 1 | -1 }): void {
  const { limit, direction } = aim
  let most = 0
  for (const value of path) most = Math.max(most, (value - edge) * direction)
  if (most <= 0) return
  const factor = Math.min(2.5, Math.abs(limit - edge) / most)
  for (let i = 0; i < path.length; i += 1) {
    const beyond = ((path[i] ?? edge) - edge) * direction
    if (beyond > 0) path[i] = edge + beyond * factor * direction
  }
}

/** Reflects a path at its bounds: clamping or scaling would leave a flat line there. */
function reflect(path: Float64Array, low: number, high: number): void {
  const height = high - low
  for (let i = 0; i < path.length; i += 1) {
    const above = ((((path[i] ?? low) - low) % (2 * height)) + 2 * height) % (2 * height)
    path[i] = height === 0 ? low : low + Math.min(above, 2 * height - above)
  }
}

function noiseAt({ seed, blend }: DemoSpan, part: number): number {
  return blend === undefined ? normal(mix(seed, part)) : blend.reduce((sum, noise) => sum + noise.weight * normal(mix(noise.seed, part)), 0)
}

/** Prices at the edges of the parts: the span's open, a random walk bent to the close and within high and low. */
function walk(span: DemoSpan, rule: SplitRule): Int32Array {
  const { parts } = rule
  const path = new Float64Array(parts + 1)
  const step = span.deviation / Math.sqrt(parts)
  for (let i = 1; i <= parts; i += 1) {
    path[i] = (path[i - 1] ?? 0) + noiseAt(span, i) * step * Math.sqrt(rule.shape[i - 1] ?? 1)
  }
  const drift = span.close - span.open - (path[parts] ?? 0)
  for (let i = 0; i <= parts; i += 1) path[i] = span.open + (path[i] ?? 0) + (drift * i) / parts
  if (rule.isBounded) {
    reflect(path, span.low, span.high)
    reach(path, Math.max(span.open, span.close), { limit: span.high, direction: 1 })
    reach(path, Math.min(span.open, span.close), { limit: span.low, direction: -1 })
  }
  // `Int32Array.from` with a callback takes ten times as long.
  const edges = new Int32Array(parts + 1)
  for (let i = 0; i <= parts; i += 1) edges[i] = Math.round(path[i] ?? 0)
  return edges
}

/** Distributes an integer by weights, without a remainder. */
function share(total: number, weights: Float64Array): Float64Array {
  let sum = 0
  for (const weight of weights) sum += weight
  const shares = new Float64Array(weights.length)
  let assigned = 0
  let seen = 0
  for (let i = 0; i < weights.length; i += 1) {
    seen += weights[i] ?? 0
    const upTo = i === weights.length - 1 ? total : Math.round((total * seen) / sum)
    shares[i] = upTo - assigned
    assigned = upTo
  }
  return shares
}

/** Volume of each part: by its shape, its move and randomness, with more buyers where it rises. */
function weigh(edges: Int32Array, span: DemoSpan, rule: SplitRule): { buys: Float64Array; sells: Float64Array } {
  const usual = Math.max(0.5, span.deviation / Math.sqrt(rule.parts))
  const buys = new Float64Array(rule.parts)
  const sells = new Float64Array(rule.parts)
  if (span.buys === 0 && span.sells === 0) return { buys: buys.fill(1), sells: sells.fill(1) }
  for (let i = 0; i < rule.parts; i += 1) {
    const move = ((edges[i + 1] ?? 0) - (edges[i] ?? 0)) / usual
    const chance = 0.35 + 1.3 * uniform(mix(span.seed, 0x4000 + i))
    const luck = (chance * (0.6 + 0.5 * Math.min(3, Math.abs(move)))) ** (rule.volumeChance ?? 1)
    const weight = ((rule.volumeShape ?? rule.shape)[i] ?? 1) * luck
    const lean = 0.3 * Math.tanh(move) + 0.08 * normal(mix(span.seed, 0x5000 + i))
    buys[i] = weight * (1 + lean)
    sells[i] = weight * (1 - lean)
  }
  return { buys, sells }
}

/** Sets the part nearest to the span's high (or low) to exactly that value, so that the parts add up to the span. */
function pin(values: Int32Array, value: number, direction: 1 | -1): void {
  let nearest = 0
  for (let i = 1; i < values.length; i += 1) {
    if ((values[i] ?? 0) * direction > (values[nearest] ?? 0) * direction) nearest = i
  }
  values[nearest] = value
}

/**
 * Splits a span into parts in time order. Their prices join without gaps; the first open, the last close, the highest
 * high, the lowest low (where bounded) and the sums of volume are those of the span.
 */
export function splitSpan(whole: DemoSpan, rule: SplitRule): DemoSpan[] {
  const span = rule.isBounded ? { ...whole, deviation: Math.min(whole.deviation, (whole.high - whole.low) / usualRange) } : whole
  const edges = walk(span, rule)
  const highs = new Int32Array(rule.parts)
  const lows = new Int32Array(rule.parts)
  const base = span.deviation / Math.sqrt(rule.parts)
  for (let i = 0; i < rule.parts; i += 1) {
    const from = edges[i] ?? 0
    const to = edges[i + 1] ?? 0
    const deviation = base * Math.sqrt(rule.shape[i] ?? 1)
    const high = Math.round(peak(from, to, { deviation, hash: mix(span.seed, 0x2000 + i) }))
    const low = Math.round(from + to - peak(from, to, { deviation, hash: mix(span.seed, 0x3000 + i) }))
    highs[i] = rule.isBounded ? Math.min(span.high, high) : high
    lows[i] = rule.isBounded ? Math.max(span.low, low) : low
  }
  if (rule.isBounded) {
    pin(highs, span.high, 1)
    pin(lows, span.low, -1)
  }
  const weights = weigh(edges, span, rule)
  const buys = share(span.buys, weights.buys)
  const sells = share(span.sells, weights.sells)
  return Array.from({ length: rule.parts }, (_, i) => ({
    seed: mix(span.seed, 0x1000 + i),
    blend: span.blend?.map(({ seed, weight }) => ({ seed: mix(seed, 0x1000 + i), weight })),
    open: edges[i] ?? 0,
    high: highs[i] ?? 0,
    low: lows[i] ?? 0,
    close: edges[i + 1] ?? 0,
    buys: buys[i] ?? 0,
    sells: sells[i] ?? 0,
    deviation: base * Math.sqrt(rule.shape[i] ?? 1),
  }))
}
