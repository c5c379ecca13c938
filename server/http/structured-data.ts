// What search engines read of the site, as schema.org data.
import type { Site } from '#shared/base/site.ts'

/** The organisation, its site, and the application with its free chart. */
export function structuredData({ brandName, origin }: Pick<Site, 'brandName' | 'origin'>): object {
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
