// What the operator named: brand, support channel and chart mount, read once from the page.
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultSite, siteElementId, type Site } from '#shared/base/site.ts'

/** Fills what the page says into the defaults; anything that is not a known value is ignored. */
export function readSite(text: string | null | undefined): Site {
  const said = parse(text ?? '{}')
  const word = (value: unknown, fallback: string) => (typeof value === 'string' && value !== '' ? value : fallback)
  return {
    ...defaultSite,
    brandName: word(said['brandName'], defaultSite.brandName),
    supportUrl: word(said['supportUrl'], defaultSite.supportUrl),
    tradingViewMount: said['tradingViewMount'] === 'script' ? 'script' : 'iframe',
    hasMail: said['hasMail'] === true,
  }
}

function parse(text: string): Record<string, unknown> {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export const site: Site = readSite(typeof document === 'undefined' ? undefined : document.getElementById(siteElementId)?.textContent)
