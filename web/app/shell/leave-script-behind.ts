// Where the provider's script has run in our page, leaving the charts loads the page anew.
import { useEffect } from 'react'
import { site } from '#web/lib/site.ts'

let reload: ReturnType<typeof setTimeout> | undefined

/** A script outlives the screen that started it: without a new page it could watch the login form or the admin area. */
export function useLeaveScriptBehind(): void {
  useEffect(() => {
    if (site.tradingViewMount !== 'script') return undefined
    // Mounting twice in a row is one visit.
    clearTimeout(reload)
    return () => {
      reload = setTimeout(() => location.reload())
    }
  }, [])
}
