// A day in the product: every refused call is written down, so that the test can say that each was expected.
import type { BrowserContext } from '@playwright/test'
import { basePath } from '../../shared/http/route.ts'

/** Collects the refused calls and pages of a context, such as `409 POST /user/payment`. */
export function collectRefusals(context: BrowserContext): string[] {
  const refusals: string[] = []
  context.on('response', (response) => {
    if (response.status() < 400) return
    const { pathname } = new URL(response.url())
    refusals.push(`${response.status()} ${response.request().method()} ${pathname.replace(basePath, '')}`)
  })
  return refusals
}
