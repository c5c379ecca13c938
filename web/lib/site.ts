// Site settings from the operator (brand, support channel, chart mount, claims, prices), read once from the page.
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultSite, siteElementId, type Site } from '#shared/base/site.ts'

/** Merges the page's settings into the defaults; unknown values are ignored. */
export function readSite(text: string | null | undefined): Site {
  const reported = parse(text ?? '{}')
  const word = (value: unknown, fallback: string) => (typeof value === 'string' && value !== '' ? value : fallback)
  return {
    ...defaultSite,
    brandName: word(reported['brandName'], defaultSite.brandName),
    supportUrl: word(reported['supportUrl'], defaultSite.supportUrl),
    tradingViewMount: reported['tradingViewMount'] === 'script' ? 'script' : 'iframe',
    hasMail: reported['hasMail'] === true,
    firstChart: reported['firstChart'] === 'tezi' ? 'tezi' : 'tradingview',
    origin: word(reported['origin'], defaultSite.origin),
    claims: isList(reported['claims']) ? reported['claims'] : defaultSite.claims,
    prices: isRecord(reported['prices']) ? { ...defaultSite.prices, ...reported['prices'] } : defaultSite.prices,
    errorStatus: reported['errorStatus'] as Site['errorStatus'],
  }
}

function parse(text: string): Record<string, unknown> {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The page comes from our own server, so its lists are not checked item by item. */
function isList(value: unknown): value is Site['claims'] {
  return Array.isArray(value)
}

export const site: Site = readSite(typeof document === 'undefined' ? undefined : document.getElementById(siteElementId)?.textContent)
