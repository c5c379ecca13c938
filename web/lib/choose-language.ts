// Which language a page shows.

/** The stored choice or the browser's first choice, if there are texts in it; undefined for English. */
export function chooseLanguage(known: readonly string[], stored: string | null, preferred: readonly string[]): string | undefined {
  for (const tag of stored === null ? preferred : [stored]) {
    if (known.includes(tag)) return tag
    const base = tag.split('-', 1)[0] ?? ''
    if (known.includes(base)) return base
    if (base === 'en') return undefined
  }
  return undefined
}
