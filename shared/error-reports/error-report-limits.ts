// Path and limits of error reports, separate so that the browser's reporter does not load zod.

export const errorReportPath = '/error-reports'

/** Characters. */
export const errorReportLimits = { message: 300, stack: 4000, path: 200, release: 80 } as const
