// Environment variables of the site's names and of the landing page.
import { z } from 'zod'
import { defaultSite, type Claim, type Site } from '#shared/base/site.ts'
import { urlOf } from './variable-kinds.ts'

const claimsCount = defaultSite.claims.length
const claimsIssue = `must be live, or ${claimsCount} claims such as "5+ charts; 1M+ analysts", separated by semicolons`

/** `live`, or the claims. */
const landingClaims = z
  .string()
  .max(300)
  .transform((text, context): 'live' | readonly Claim[] => {
    if (text === 'live') return text
    const claims = text.split(';').flatMap((part) => {
      const [, figure, what] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(part) ?? []
      return figure === undefined || what === undefined ? [] : [{ figure, what }]
    })
    if (claims.length === claimsCount && text.split(';').length === claimsCount) return claims
    context.addIssue({ code: 'custom', message: claimsIssue })
    return z.NEVER
  })

export const siteVariables = {
  BRAND_NAME: z.string().trim().min(1).max(40).default(defaultSite.brandName),
  SUPPORT_URL: urlOf(['https:', 'mailto:']).default(defaultSite.supportUrl),
  TRADINGVIEW_MOUNT: z.enum(['iframe', 'script'], 'must be iframe or script').default(defaultSite.tradingViewMount),
  LANDING_CLAIMS: landingClaims.default(defaultSite.claims),
}

interface SiteValues extends z.output<z.ZodObject<typeof siteVariables>> {
  readonly SMTP_URL?: string | undefined
  readonly NODE_ENV?: string | undefined
  readonly CHART_FIRST: Site['firstChart']
}

/** What the pages show of the settings. In development mail goes to the outbox. */
export function siteSettingsOf(values: SiteValues): { readonly site: Site; readonly hasLiveClaims: boolean } {
  const hasLiveClaims = values.LANDING_CLAIMS === 'live'
  const site: Site = {
    ...defaultSite,
    brandName: values.BRAND_NAME,
    supportUrl: values.SUPPORT_URL,
    tradingViewMount: values.TRADINGVIEW_MOUNT,
    hasMail: values.SMTP_URL !== undefined || values.NODE_ENV === 'development',
    firstChart: values.CHART_FIRST,
    ...(values.LANDING_CLAIMS === 'live' ? {} : { claims: values.LANDING_CLAIMS }),
  }
  return { site, hasLiveClaims }
}
