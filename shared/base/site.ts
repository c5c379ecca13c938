// What the operator may name: brand, support channel, provider and landing claims; Tezi's values are the defaults.
import { z } from 'zod'

export const siteSchema = z.object({
  brandName: z.string(),
  supportUrl: z.string(),
  tradingViewMount: z.enum(['iframe', 'script']),
  /** Whether mail can be sent, such as the link for a forgotten password. */
  hasMail: z.boolean(),
})

export type Site = z.output<typeof siteSchema>

export const defaultSite: Site = {
  brandName: 'Tezi',
  supportUrl: 'https://t.me/tezi_support',
  tradingViewMount: 'iframe',
  hasMail: false,
}

/** Element id of the JSON block in which the server hands the site to the page. */
export const siteElementId = 'site'
