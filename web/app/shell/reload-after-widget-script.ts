// Reloads the page on leaving the charts if the provider's script has run in it.
import { useEffect } from 'react'
import { site } from '#web/lib/site.ts'

let reload: ReturnType<typeof setTimeout> | undefined

/** A script outlives its screen: without a reload it could watch the sign-in form or the admin area. */
export function useLeaveScriptBehind(): void {
  useEffect(() => {
    if (site.tradingViewMount !== 'script') return undefined
    // React may mount twice; that is one visit.
    clearTimeout(reload)
    return () => {
      reload = setTimeout(() => location.reload())
    }
  }, [])
}
