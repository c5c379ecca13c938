// Escaping of LIKE patterns.

/** A search text with % and _ escaped. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
