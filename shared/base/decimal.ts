// Reads a number that somebody typed or sent as text, and nothing that merely resembles one.

/**
 * The number that ASCII digits say, such as `12` or `-0.50`; NaN for everything else. JavaScript itself would also read
 * spaces, signs, hexadecimal and exponents, and so another number than the one that a person sees.
 */
export function readDecimal(text: string): number {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** The number in a field that takes both: JSON's own numbers are plain already. */
export function amountOf(value: string | number): number {
  return typeof value === 'number' ? value : readDecimal(value)
}
