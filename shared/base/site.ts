// Site settings from the operator: brand, support channel, provider, landing claims and prices, with Tezi's defaults.
/** One figure of the landing page, for example 5+ charts. */
export interface Claim {
  readonly figure: string
  readonly what: string
}

export interface Site {
  readonly brandName: string
  readonly supportUrl: string
  readonly tradingViewMount: 'iframe' | 'script'
  /** Whether email can be sent, for example a password reset link. */
  readonly hasMail: boolean
  /** Which chart Automatic tries first. */
  readonly firstChart: 'tradingview' | 'tezi'
  /** Status of a page that answers a broken address or a method other than GET. */
  readonly errorStatus?: 400 | 405 | undefined
  /** Public origin of the site, for absolute links. */
  readonly origin: string
  /** Four figures of the landing page. */
  readonly claims: readonly Claim[]
  /** Prices of the plans in words; empty until they are known. */
  readonly prices: { readonly regular: string; readonly crypto: string }
}

export const defaultSite: Site = {
  brandName: 'Tezi',
  supportUrl: 'https://t.me/tezi_support',
  tradingViewMount: 'iframe',
  hasMail: false,
  firstChart: 'tradingview',
  origin: '',
  claims: [
    { figure: '5+', what: 'charts' },
    { figure: '1M+', what: 'analysts' },
    { figure: '20+', what: 'assets' },
    { figure: '99.9%', what: 'data accuracy' },
  ],
  prices: { regular: '', crypto: '' },
}

/** Element id of the JSON block with the site settings in the page. */
export const siteElementId = 'site'
