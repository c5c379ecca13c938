// Parts of a clock as text.

/** Such as `07` for 7. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
