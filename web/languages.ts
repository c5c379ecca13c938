// Languages other than English, each with the import of its texts.
import type { PageLanguage } from '#web/lib/page-language.ts'

/** By language tag. `en-XA` is the pseudo-locale of developers and tests. */
export const languages: Readonly<Record<string, () => Promise<PageLanguage>>> = {
  'en-XA': async () => (await import('./pseudo-locale.ts')).pseudoLocale,
}
