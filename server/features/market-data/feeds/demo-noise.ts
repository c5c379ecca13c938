// Deterministic pseudo-random numbers: hashes of a seed and a position.

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
export function uniform(hash: number): number {
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
    const own = mix(seed, octave + 1)
    const from = normal(mix(own, cell))
    const to = normal(mix(own, cell + 1))
    total += 0.5 * Math.sqrt(width) * (from + (to - from) * part)
  }
  return total
}
