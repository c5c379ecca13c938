// Joins class names and skips unset ones.

/** Class names in one string; skips false and undefined. */
export function cn(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
