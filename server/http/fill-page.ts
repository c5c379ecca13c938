// Fills the operator's settings into built pages: names, addresses, claims and prices, escaped for their place.
import { siteElementId, type Site } from '#shared/base/site.ts'

const token = /\{\{([\w.]+)\}\}/g
const dataBlock = (id: string) => new RegExp(`(<script[^>]*id="${id}"[^>]*>)[^<]*(</script>)`)

/** A site whose texts are tokens, for pages that are rendered before the settings are known. */
export function siteOfTokens(site: Site): Site {
  const tokens = <Value>(value: Value, path: string): Value => {
    if (typeof value === 'string') return `{{${path}}}` as Value
    if (Array.isArray(value)) return value.map((item, index) => tokens(item as unknown, `${path}.${index}`)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, tokens(part, path === '' ? key : `${path}.${key}`)]),
    ) as Value
  }
  return { ...tokens(site, ''), tradingViewMount: site.tradingViewMount, firstChart: site.firstChart }
}

/** The page with tokens, settings block and structured data filled; in one pass, so that no value can bring a token along. */
export function fillPage(html: string, site: Site): string {
  const blocks = { [siteElementId]: site, 'structured-data': structuredData(site) }
  return Object.entries(blocks).reduce(
    (page, [id, value]) => page.replace(dataBlock(id), (_, open: string, close: string) => open + scriptJson(value) + close),
    fillTokens(html, site, escapeMarkup),
  )
}

/** A text file with its tokens filled. */
export function fillTokens(text: string, site: Site, escape: (value: string) => string): string {
  return text.replace(token, (whole, path: string) => {
    const value = path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], site)
    return typeof value === 'string' ? escape(value) : whole
  })
}

/** For text and for attributes in double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** For strings inside JSON. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}

/** What search engines read of the site, as schema.org data: the organisation, its site, and the application with its free chart. */
function structuredData({ brandName, origin }: Pick<Site, 'brandName' | 'origin'>): object {
  const url = `${origin}/`
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Organization', '@id': `${url}#organization`, name: brandName, url, logo: `${url}icon-512.png` },
      { '@type': 'WebSite', name: brandName, url, inLanguage: 'en', publisher: { '@id': `${url}#organization` } },
      {
        '@type': 'WebApplication',
        name: brandName,
        url,
        applicationCategory: 'FinanceApplication',
        operatingSystem: 'Any',
        browserRequirements: 'Requires JavaScript',
        offers: { '@type': 'Offer', name: 'NIFTY chart', price: 0, priceCurrency: 'INR' },
      },
    ],
  }
}
