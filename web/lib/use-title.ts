// The title of the browser tab.
import { useEffect } from 'react'
import { site } from './site.ts'

/** Shows `text` and the brand as the tab's title while the component is on the page. */
export function useTitle(text: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${text} · ${site.brandName}`
    return () => {
      document.title = before
    }
  }, [text])
}
