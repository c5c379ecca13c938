// Title of the browser tab.
import { useEffect } from 'react'
import { site } from './site.ts'

/** Sets the tab's title to `text` and the brand while the component is mounted. */
export function useTitle(text: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${text} · ${site.brandName}`
    return () => {
      document.title = before
    }
  }, [text])
}
