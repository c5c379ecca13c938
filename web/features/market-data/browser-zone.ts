// Browser time zone (IANA) and the Temporal API.

// Loads the polyfill only in browsers without Temporal; importers wait for it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const browserZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
