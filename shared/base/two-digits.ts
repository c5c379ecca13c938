// Zero padding for clock texts.

/** For example `07` for 7. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
