// The IANA zone of the browser, and the calendar arithmetic that zones need.

// Only browsers that lack it fetch it; whoever imports the zone waits for it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const browserZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
