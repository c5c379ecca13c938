// Joins class names, leaving out what is not set.

/** Class names in one string; false and undefined are dropped. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
