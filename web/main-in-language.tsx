// Entry point of builds with more languages than English: installs the texts of the page's language, then starts the app.
import { chooseLanguage } from '#web/lib/choose-language.ts'
import { setCatalogue, type PageLanguage } from '#web/lib/page-language.ts'
import { browserStorage } from '#web/lib/browser-storage.ts'
import { installTexts } from '#shared/text/texts.ts'

/** By language tag. `en-XA` is the pseudo-locale of developers and tests. */
const languages: Readonly<Record<string, () => Promise<PageLanguage>>> = {
  'en-XA': async () => (await import('./pseudo-locale.ts')).pseudoLocale,
}

void start()

async function start(): Promise<void> {
  const tag = chooseLanguage(Object.keys(languages), browserStorage.get('language') ?? null, navigator.languages)
  if (tag !== undefined) {
    // Texts are read while modules are evaluated, so the app is imported afterwards.
    const language = await languages[tag]?.()
    if (language !== undefined) {
      installTexts(language.translate)
      setCatalogue(await language.catalogue())
      document.documentElement.lang = tag
    }
  }
  await import('./main.tsx')
}
