// The IANA zone of the browser, read once.
export const browserZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
