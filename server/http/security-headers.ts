// Headers of every response, and the content security policy of pages; constants, because responses outside Fastify send them too.
import type { Site } from '#shared/base/site.ts'
import { basePath } from '#shared/http/route.ts'

/** Constant for all responses, errors included. Browsers ignore the HSTS header on plain http. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), fullscreen=(self "https://www.tradingview-widget.com" "https://s.tradingview.com")',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

export const apiHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The headers of a response by URL. */
export function headersOf(url: string): Readonly<Record<string, string>> {
  return url.startsWith(`${basePath}/`) ? apiHeaders : securityHeaders
}

const widgetFrames = 'https://www.tradingview-widget.com https://s.tradingview.com https://www.tradingview.com'

/**
 * Policy of the pages; the script mount needs the provider's script and the styles it writes, the frame mount neither.
 * `scriptHash` allows the inline script of the page.
 */
export function pagePolicy(mount: Site['tradingViewMount'], scriptHash?: string): string {
  const ownScript = scriptHash === undefined ? '' : ` ${scriptHash}`
  const foreignScript = mount === 'script' ? ' https://s3.tradingview.com' : ''
  // The page probes it to see if frames are reachable.
  const probedHost = mount === 'iframe' ? ' https://www.tradingview-widget.com' : ''
  const inlineStyle = mount === 'script' ? " 'unsafe-inline'" : ''
  return [
    "default-src 'none'",
    `script-src 'self'${ownScript}${foreignScript}`,
    `style-src 'self'${inlineStyle}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${probedHost}`,
    `frame-src ${widgetFrames}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
