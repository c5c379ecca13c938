// Strict decimal parsing of user input.

/**
 * The number in plain ASCII digits, for example `12` or `-0.50`; NaN for everything else. JavaScript would also accept
 * spaces, signs, hexadecimal and exponents, and so a different number than the user sees.
 */
export function readDecimal(text: string): number {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** The value of a field that takes numbers and texts: JSON numbers are valid as they are. */
export function amountOf(value: string | number): number {
  return typeof value === 'number' ? value : readDecimal(value)
}
