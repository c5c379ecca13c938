// Site settings from the operator: brand, support channel, provider and landing claims, with Tezi's defaults.
import { z } from 'zod'

export const siteSchema = z.object({
  brandName: z.string(),
  supportUrl: z.string(),
  tradingViewMount: z.enum(['iframe', 'script']),
  /** Whether email can be sent, for example a password reset link. */
  hasMail: z.boolean(),
  /** Which chart Automatic tries first. */
  firstChart: z.enum(['tradingview', 'tezi']),
  /** Status of a page that answers a broken address or a method other than GET. */
  errorStatus: z.union([z.literal(400), z.literal(405)]).optional(),
})

export type Site = z.output<typeof siteSchema>

export const defaultSite: Site = {
  brandName: 'Tezi',
  supportUrl: 'https://t.me/tezi_support',
  tradingViewMount: 'iframe',
  hasMail: false,
  firstChart: 'tradingview',
}

/** Element id of the JSON block with the site settings in the page. */
export const siteElementId = 'site'
