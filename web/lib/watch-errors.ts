// Reports uncaught errors to the server. The reporter is loaded with the first error, so that it does not slow down the first load.

/** Reports uncaught errors; a caught error is reported by dispatching an ErrorEvent. The reporter's own errors are never reported. */
export function watchErrors(): void {
  for (const type of ['error', 'unhandledrejection'])
    addEventListener(type, (event) => void import('./error-reporter.ts').then(({ reportEvent }) => reportEvent(event), ignore))
}

function ignore(): void {}
