// Launch flags of Chromium for tests and benchmarks: without a sandbox, a GPU, and background requests.

export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
