// Search texts for LIKE.

/** A search text in which % and _ mean themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
