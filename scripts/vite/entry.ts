// Which module the page starts with: English is alone in production, so that its pages wait for no other file.
import type { Plugin } from 'vite'

/** Builds with `--mode languages` can show every language, also the pseudo-locale; so does the development server. */
export const languagesMode = 'languages'

export function entry(): Plugin {
  let hasLanguages = false
  return {
    name: 'entry',
    configResolved: ({ command, mode }) => {
      hasLanguages = command === 'serve' || mode === languagesMode
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => (hasLanguages ? html.replace('"/main.tsx"', '"/main-in-language.tsx"') : html),
    },
  }
}
