// Brings calendar arithmetic to browsers that lack it; the others never fetch it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export {}
