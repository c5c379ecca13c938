// Reports errors of the page to the server. The reporter is loaded with the first error, so it costs the first visit nothing.

/** Reports what nothing has caught; a caught error is reported by dispatching an ErrorEvent. Its own failure is never reported. */
export function watchErrors(): void {
  for (const type of ['error', 'unhandledrejection'])
    addEventListener(type, (event) => void import('./error-reporter.ts').then(({ reportEvent }) => reportEvent(event), ignore))
}

function ignore(): void {}
