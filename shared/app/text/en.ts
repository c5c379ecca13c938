// Texts that every page may need: title, links of the header, and the screen of a crash.
import { texts } from '#shared/text/texts.ts'

export const appText = texts('app', {
  documentTitle: (brand: string) => `${brand}: live charts for traders`,
  homepage: 'homepage',
  loading: 'Loading',
  skip: 'Skip to content',
  goHome: 'Go to Homepage',
  crashTab: 'Unexpected error',
  crashTitle: 'Unexpected Application Error!',
  crashText: 'This screen stopped working. Your account and your settings are safe; loading the page again usually helps.',
  crashPicture: 'A chart that stops moving',
  reload: 'Reload the page',
})
